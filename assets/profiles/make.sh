#!/bin/sh
# Makes the profiles in this folder anew: sh assets/profiles/make.sh [FOGRA39L.ti3]
# Needs argyll, and the data and sRGB.icc of icc-profiles-free (both Debian packages).
set -eu
colours=/usr/share/color/icc
data=${1:-$colours/FOGRA39L.ti3}
folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# colprof keeps its limit in the nodes of the table; between them a little more comes out, so it is
# told a little less.
make_profile() { # the limit, and what colprof is told
    cp "$data" "$work/$1.ti3"
    colprof -qm -ni -nc -kr -l"$2" -s $colours/sRGB.icc -cmt -dpp \
        -A cardgen -M "coated paper, $1% ink" \
        -D "Coated FOGRA39 (ISO 12647-2:2004), at most $1% ink" \
        -C "Made from FOGRA39L.ti3, zlib/libpng licence" \
        -O "$folder/coated-fogra39-$1.icc" "$work/$1"
}

make_profile 300 298
make_profile 240 236
