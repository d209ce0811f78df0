"""The engines that solve models, and the table of all engines of jigsat, which the root package puts into the registry.

A new engine is one line here.  A module is loaded when its engine is requested.  If a choice of solvers follows the
name (``sat:cadical195``), the class takes the part behind the colon.
"""

_SQUARES = {
    "backtrack": "jigsat.csp.search.backtrack:Backtrack",
    "cpsat": "jigsat.models.engines.cpsat:CpSat",
    "sat": "jigsat.models.engines.sat:Sat",
    "maxsat": "jigsat.models.engines.sat:MaxSat",
    "beam": "jigsat.csp.search.beam.engine:BeamSearch",
    "dive": "jigsat.csp.search.dive:Dive",
    "ganak": "jigsat.models.engines.ganak:Ganak",
    "balanced": "jigsat.models.engines.balanced:Balanced",
    "most-constrained": "jigsat.csp.search.most_constrained:MostConstrained",
    "portfolio": "jigsat.csp.engines.portfolio:Portfolio",
}

#: The engines for each kind of puzzle.
ENGINES = {
    "edge-matching": _SQUARES,
    "jigsaw": _SQUARES,
    "dissection": {
        "backtrack": "jigsat.csp.search.tilings.engine:Tiler",
        "cpsat": "jigsat.models.engines.cpsat:CpSatTiler",
        "sat": "jigsat.models.engines.sat:SatTiler",
        "ganak": "jigsat.models.engines.ganak:GanakTiler",
        "portfolio": "jigsat.csp.engines.portfolio:TilingPortfolio",
    },
}
