"""The schema of a record: the type of every field."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, StringConstraints

from ....csp.base.strict_json import validated

# Larger numbers cannot be converted to floats, which figures need.
_Whole = Annotated[StrictInt, Field(ge=0, lt=10**300)]
_Real = Annotated[StrictFloat, Field(ge=0, le=1e300, allow_inf_nan=False)]
_Hash = Annotated[StrictStr, StringConstraints(pattern=r"^[0-9a-f]{64}\z")]
# A number that may be too large or too small for a float.
_Decimal = Annotated[StrictStr, StringConstraints(pattern=r"^[0-9](\.[0-9]{1,100})?e[+-][0-9]{1,6}\z")]
_Moment = Annotated[StrictStr, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\+00:00\z")]
_Value = StrictInt | StrictFloat | StrictBool | StrictStr | None
_Values = dict[StrictStr, _Value]


class _Section(BaseModel):
    # Later versions may add keys.
    model_config = ConfigDict(extra="allow")


class _Predicted(_Section):
    solutions: _Decimal
    nodes: _Decimal


class _Spread(_Section):
    median: _Real
    low: _Real
    high: _Real


class _Way(_Section):
    engine: StrictStr
    how: StrictStr | None
    nodes: _Spread | None = None
    seconds: _Spread | None
    setup_seconds: _Real = 0.0
    memory_mib: _Real | None = None
    score: _Real | None
    refused: StrictStr | None = None


class _Better(_Section):
    score: StrictInt
    nodes: _Whole
    seconds: _Real


class _RunLimits(_Section):
    seconds: _Real
    memory_mib: _Real | None
    nodes: _Real | None
    depth: _Whole | None
    predicted_nodes: _Real | None


class _AskedOptions(_Section):
    engine: StrictStr = ""
    order: StrictStr | None
    slips: StrictStr | None
    encoding: StrictStr | None
    symmetry: StrictBool
    motions: StrictStr | None
    threads: Annotated[_Whole, Field(ge=1)]
    seed: StrictInt | None
    width: _Whole | None = None
    method: StrictStr | None = None
    device: StrictStr | None = None


class _RunOptions(_Section):
    order: StrictStr | None = None
    slips: StrictStr | None = None
    symmetry: StrictBool | None = None


class _Machine(_Section):
    processor: StrictStr
    cores: _Whole | None
    system: StrictStr


class _Record(_Section):
    experiment: StrictStr
    part: StrictStr
    family: StrictStr
    source: _Values
    sha256: _Hash
    fingerprint: _Hash
    repetition: Annotated[_Whole, Field(ge=1)]
    facts: dict[StrictStr, _Whole]
    asked: _AskedOptions | None = None
    instance: StrictStr
    kind: StrictStr
    engine: StrictStr
    method: StrictStr | None
    goal: Literal["solve", "all", "count", "best"]
    status: Literal["satisfiable", "unsatisfiable", "optimal", "feasible", "unknown"]
    complete: StrictBool
    count: _Whole | None
    canonical_count: _Whole | None
    symmetry_factor: _Whole | None
    best_score: _Whole | None
    max_score: _Whole | None
    best_board: list[Any] | None
    best_depth: _Whole | None
    nodes: _Whole | None
    nodes_by_depth: list[_Whole]
    build_seconds: _Real | None
    seconds: _Real | None
    cpu_seconds: _Real | None
    peak_rss_mib: _Real | None
    seed: StrictInt | None
    threads: Annotated[_Whole, Field(ge=1)]
    options: _RunOptions
    predicted: _Predicted | None
    predicted_by_depth: list[_Decimal] | None
    solutions: list[Any]
    proof: dict[str, Any] | None
    ended_by: StrictStr | None
    best_bound: _Whole | None
    statistics: dict[StrictStr, _Whole | _Real] | None
    plan_seconds: _Real | None = None
    verified: dict[str, Any] | None = None
    way: _Way | None = None
    best_after: _Better | None = None
    answer_seconds: _Real | None = None
    outcome: StrictStr
    message: StrictStr | None
    limits: _RunLimits
    wall_seconds: _Real
    versions: dict[StrictStr, StrictStr]
    machine: _Machine
    timestamp: _Moment


def checked(record: Any, place: str) -> dict[str, Any]:
    """A record of which every field has its type.

    Raises
    ------
    InstanceError
        If it is not such a record; the message names the first wrong field.
    """
    validated(_Record, record, place, {})
    return record
