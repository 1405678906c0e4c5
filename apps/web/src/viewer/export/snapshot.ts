/** Settings for drawing the content of a viewport again on a canvas of its own. */
export interface Snapshot {
  /** Device pixels for each CSS pixel. */
  scale: number;
  /**
   * Draws the content of the viewport's canvases at this scale; without it they are copied as they are on the screen.
   */
  repaint?: (scale: number) => HTMLCanvasElement;
  /** The lines of text below the image that identify it later. */
  caption: readonly string[];
}

// Icons on buttons are not part of an image.
const drawn = "canvas, img[data-drawing], svg:not(button svg, [role=toolbar] svg)";

/** The images and drawings of a viewport with a caption below, without its buttons. */
export async function snapshotOf(pane: HTMLElement, { scale, repaint, caption }: Snapshot): Promise<HTMLCanvasElement> {
  const place = pane.getBoundingClientRect();
  const [width, height] = [Math.round(place.width * scale), Math.round(place.height * scale)];
  const line = Math.round(18 * scale);
  const sheet = document.createElement("canvas");
  sheet.width = width;
  sheet.height = height + caption.length * line + (caption.length > 0 ? line : 0);
  const brush = sheet.getContext("2d");
  if (!brush) throw new Error("no canvas to draw on");
  brush.fillStyle = "black";
  brush.fillRect(0, 0, sheet.width, sheet.height);
  brush.save();
  brush.beginPath();
  brush.rect(0, 0, width, height);
  brush.clip();
  if (repaint) brush.drawImage(repaint(scale), 0, 0, width, height);
  const painted = repaint ? pane.querySelector("canvas") : null;
  for (const part of pane.querySelectorAll<HTMLCanvasElement | HTMLImageElement | SVGSVGElement>(drawn)) {
    if (part === painted) continue;
    const at = part instanceof HTMLImageElement ? contained(part) : part.getBoundingClientRect();
    const image = part instanceof SVGSVGElement ? await pictureOf(part, at, scale) : part;
    const [x, y] = [(at.left - place.left) * scale, (at.top - place.top) * scale];
    brush.drawImage(image, x, y, at.width * scale, at.height * scale);
  }
  brush.restore();
  write(brush, caption, height, line);
  return sheet;
}

type Place = Pick<DOMRect, "left" | "top" | "width" | "height">;

/** Returns the rectangle of an image in its box if all of it is shown. */
function contained(image: HTMLImageElement): Place {
  const box = image.getBoundingClientRect();
  const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight);
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height };
}

function write(brush: CanvasRenderingContext2D, caption: readonly string[], top: number, line: number): void {
  brush.fillStyle = "white";
  brush.font = `${Math.round(line * 0.7)}px ${getComputedStyle(document.body).fontFamily}`;
  brush.textBaseline = "middle";
  caption.forEach((text, at) => brush.fillText(text, line / 2, top + line * (at + 1), brush.canvas.width - line));
}

/** Renders a drawing as an image. Styles belong to the page: outside of it a drawing needs them inline. */
async function pictureOf(svg: SVGSVGElement, { width, height }: Place, scale: number): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, at) => {
    const style = getComputedStyle(originals[at]!);
    for (const name of kept) part.setAttribute(name, style.getPropertyValue(name));
    part.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", String(width * scale));
  copy.setAttribute("height", String(height * scale));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

const kept = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "font-family",
  "font-size",
  "font-weight",
  "paint-order",
  "opacity",
  "visibility",
  "display",
  "text-anchor",
  "dominant-baseline",
] as const;
