# From an empty folder to the pack of the finder of cephalometric landmarks: draws films, trains, measures, packs.
#   training/run ceph FOLDER [FILMS] [STEPS] [IMAGES]
# FOLDER keeps films, logs, weights and the pack, arcada.ceph-VERSION.zip. IMAGES is the folder of the real films of
# development-set.json. Of the environment: VERSION, SEED, KEY (a private key of `package-key`, which signs the pack),
# HELD_BACK (the number of films for measuring), OTHERS (of films of another kind) and DATE.
set -euo pipefail
. training/shared/steps.sh
[ $# -ge 1 ] || { sed -n '1,5p' "$0" >&2; exit 2; }
folder=$1 films=${2:-3000} steps=${3:-4000} images=${4:-}
version=${VERSION:-0.1.0} others=${OTHERS:-200}

mkdir -p "$folder"
draw "$folder/films" "$films" 0 ceph
draw "$folder/held-back" "${HELD_BACK:-150}" 0 ceph-held-back
# Panoramic films and heads from the front, from which it must learn to abstain.
draw "$folder/others" "$others"
draw "$folder/frontal" "$others" 0 ceph-frontal
"$PYTHON" training/ceph/train.py "$folder/films" "$folder/ceph.pt" --others "$folder/others" "$folder/frontal" --steps "$steps" --seed "$seed" | tee "$folder/train.log"
"$PYTHON" training/ceph/shape.py "$folder/films" "$folder/shape.json"
"$PYTHON" training/ceph/evaluate.py "$folder/ceph.pt" "$folder/shape.json" "$folder/held-back" --others "$folder/frontal" \
  ${images:+--real training/ceph/development-set.json "$images"} --out "$folder/measured.json" | tee "$folder/measure.log"
"$PYTHON" training/ceph/make_pack.py "$folder" --measured "$folder/measured.json" --version "$version" --date "$date"
build_pack "$folder"
