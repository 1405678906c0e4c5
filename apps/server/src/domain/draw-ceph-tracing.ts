import type { CephDrawing } from "@arcada/contract/ceph/ceph.schema";
import type { PdfDrawing, PdfBitmap, PdfShape } from "../platform/pdf/pdf-blocks.ts";

// The colours are readable on dark bone and on the bright background of a cephalogram alike.
const landmarkColour = "#f76707";
const colours = { bone: "#ffd43b", tooth: "#8ce99a", skin: "#74c0fc", plane: "#ff8787" } as const;

/** Draws a tracing over its upright cephalogram, as large as permitted, in points. */
export function drawTracing(
  { height, lines, marks }: CephDrawing,
  maxSize: { width: number; height: number },
  background: PdfBitmap | null,
): PdfDrawing {
  const scale = Math.min(maxSize.width, maxSize.height / height);
  const at = ([x, y]: readonly [number, number]) => [x * scale, y * scale] as const;
  const shapes: PdfShape[] = [
    ...lines.map(({ tissue, points }) => ({
      path: `M${points
        .map((point) =>
          at(point)
            .map((side) => side.toFixed(2))
            .join(" "),
        )
        .join(" L")}`,
      stroke: colours[tissue],
      line: tissue === "plane" ? 0.5 : 0.9,
      ...(tissue === "plane" && { dash: 3 }),
    })),
    ...marks.flatMap((landmark): PdfShape[] => {
      const [x, y] = at(landmark.at);
      return [
        {
          path: `M${x - 1.4} ${y} a1.4 1.4 0 1 0 2.8 0 a1.4 1.4 0 1 0 -2.8 0`,
          fill: "#ffffff",
          stroke: "#1b2430",
          line: 0.4,
        },
        { text: landmark.sign, x: x + 7, y: y - 3, size: 5.5, colour: landmarkColour },
      ];
    }),
  ];
  return { kind: "drawing", width: scale, height: height * scale, shapes, ...(background && { under: background }) };
}
