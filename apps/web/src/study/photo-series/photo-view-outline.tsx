import type { PhotoView } from "@arcada/contract/study/mount-layouts";

/**
 * The outline of each view, into which the photographer fits the patient, in a drawing of 100 × 75. Views of the mouth
 * show the edge of the retracted lips and the row of teeth.
 */
const outlines: Record<PhotoView, readonly string[]> = {
  "face.rest": [
    "M50 8c-13 0-20 9-20 24 0 20 10 34 20 34s20-14 20-34c0-15-7-24-20-24z",
    "M38 30h7M55 30h7M50 32v11M43 52h14",
    "M50 2v6M50 66v7",
  ],
  "face.smile": [
    "M50 8c-13 0-20 9-20 24 0 20 10 34 20 34s20-14 20-34c0-15-7-24-20-24z",
    "M38 30h7M55 30h7M50 32v11M41 49c3 6 15 6 18 0z",
    "M50 2v6M50 66v7",
  ],
  "face.profileR": [
    "M40 9c16-4 28 6 27 19 0 5-1 8 2 13l4 6c1 2 0 3-3 3l-1 5c0 2 1 3-1 5 1 5-2 7-7 7l-9-1-4 9",
    "M40 9c-12 3-17 15-13 27 3 9 3 15 1 25M57 29h6M43 34c-4-2-7 1-5 6 1 3 3 4 5 3",
  ],
  "mouth.front": [
    "M6 37C18 14 34 10 50 10s32 4 44 27C82 60 66 65 50 65S18 60 6 37z",
    "M16 37h68M50 20v34M40 22v30M60 22v30M31 25v24M69 25v24M23 29v17M77 29v17",
  ],
  "mouth.right": [
    "M6 37C16 16 36 11 58 12c18 1 30 10 36 25-6 16-18 24-36 25C36 63 16 58 6 37z",
    "M12 37h74M74 24v26M62 21v32M50 20v34M38 21v32M27 24v26M18 29v16",
  ],
  "mouth.left": [
    "M94 37C84 16 64 11 42 12 24 13 12 22 6 37c6 16 18 24 36 25 22 1 42-4 52-25z",
    "M88 37H14M26 24v26M38 21v32M50 20v34M62 21v32M73 24v26M82 29v16",
  ],
  "mouth.upper": [
    "M14 66c-3-36 14-59 36-59s39 23 36 59",
    "M27 66c-2-27 9-46 23-46s25 19 23 46",
    "M50 7v13M35 11l5 12M65 11l-5 12M23 24l10 8M77 24l-10 8M16 43l12 3M84 43l-12 3",
  ],
  "mouth.lower": [
    "M14 9c-3 36 14 59 36 59s39-23 36-59",
    "M27 9c-2 27 9 46 23 46s25-19 23-46",
    "M50 68V55M35 64l5-12M65 64l-5-12M23 51l10-8M77 51l-10-8M16 32l12-3M84 32l-12-3",
  ],
};

/** The outline of a view, over the camera's picture or in place of a photograph that is still to be taken. */
export function PhotoViewOutline({ view, className }: { view: PhotoView; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 100 75"
      className={className}
      aria-hidden
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {outlines[view].map((path) => (
        <path key={path} d={path} stroke="currentColor" strokeWidth={1} vectorEffect="non-scaling-stroke" />
      ))}
    </svg>
  );
}
