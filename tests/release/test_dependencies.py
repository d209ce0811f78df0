"""What jigsat depends on is listed with its licence, and locked with its hashes."""

import re

from dependencies import LOCK, PAGE, UNKNOWN, bill, direct, rows


def test_each_dependency_has_its_licence_on_the_page():
    """Only names and extras are compared: another release may word its licence in another way."""
    on_page = dict(re.findall(r"^(\| \S+ \| [a-z, ]+ \|) (.+) \|$", PAGE.read_text(), re.M))
    assert [line for line in rows().values() if line[: line[:-2].rindex("|") + 1] not in on_page] == []
    assert not {"?", UNKNOWN} & {*on_page.values()}


def test_the_lock_has_hashes_for_all_that_the_tests_install():
    locked = dict(re.findall(r"^([a-z0-9-]+)==[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64}.*)*)", LOCK.read_text(), re.M))
    needed = {package for package, extras in direct().items() if {"jigsat", "test", "fuzz"} & {*extras}}
    assert {package for package in needed if not locked.get(package)} == set()
    assert len(needed) > 40
    assert not re.search("https?://|file:", LOCK.read_text())


def test_the_bill_of_materials_has_all_that_is_needed():
    found = bill()
    refs = {one["bom-ref"] for one in found["components"]}
    always = [package for package, extras in direct().items() if "jigsat" in extras]
    names = {one["name"] for one in found["components"]}
    assert names >= {*always}
    assert names > {*always}, "what they need in turn is missing"
    assert {ref for one in found["dependencies"] for ref in one["dependsOn"]} == refs
    assert all(one["licenses"] and one["purl"].startswith("pkg:pypi/") for one in found["components"])
