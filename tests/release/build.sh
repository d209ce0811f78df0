#!/usr/bin/env bash
# Builds the sdist and the wheel of what is committed.  They are the same byte by byte wherever and whenever this is done,
# with any Python: times are those of the commit, and the programs that build are pinned by their hashes.  Beside them is
# a bill of materials (SBOM) of the wheel with all that it needs, in the versions that are tested.
#
#     tests/release/build.sh PYTHON FOLDER
set -euo pipefail
python=$1 out=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/../.."
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# A clean checkout: files that git does not track must not get into a release.
mkdir "$work/source"
git archive HEAD | tar -x --no-same-permissions -C "$work/source"
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --require-hashes -r tests/release/build.txt
"$work/venv/bin/python" -m build --no-isolation --outdir "$work/dist" "$work/source" > "$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log"
    exit 1
}
grep WARNING "$work/build.log" || true
# setuptools leaves the time of the build in the sdist.
"$work/venv/bin/python" - "$work"/dist/*.tar.gz << 'END'
import gzip, io, os, sys, tarfile

epoch = int(os.environ["SOURCE_DATE_EPOCH"])
with tarfile.open(sys.argv[1]) as made:
    files = sorted(((one, made.extractfile(one)) for one in made), key=lambda pair: pair[0].name)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as whole:
        for one, content in files:
            one.mtime, one.uid, one.gid, one.uname, one.gname = epoch, 0, 0, "", ""
            one.pax_headers = {}
            whole.addfile(one, content)
with open(sys.argv[1], "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as out:
    out.write(packed.getvalue())
END
# The README renders on PyPI, and the metadata are complete.
"$work/venv/bin/twine" check --strict "$work"/dist/*
# The bill of materials is made from what is installed: the wheel, and what it needs in the versions of `test.txt`.
wheel=$(echo "$work"/dist/*.whl)
sed -n 's/^\([^ #]*==[^ ;]*\).*/\1/p' tests/release/test.txt > "$work/versions.txt"
"$python" -m venv "$work/installed"
"$work/installed/bin/pip" install --quiet --constraint "$work/versions.txt" "$wheel"
"$work/installed/bin/python" "$work/source/tests/release/dependencies.py" "${wheel%.whl}.cdx.json"
cp "$work"/dist/* "$out"
