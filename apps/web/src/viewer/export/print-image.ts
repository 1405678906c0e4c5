import styles from "./print.module.css";

/** Prints one image on a sheet of its own, without the page around it. */
export async function printImage(canvas: HTMLCanvasElement, title: string): Promise<void> {
  const url = URL.createObjectURL(await encodeCanvas(canvas, "image/png"));
  const sheet = document.createElement("div");
  sheet.className = styles.sheet ?? "";
  sheet.dataset.printSheet = "";
  const image = new Image();
  image.src = url;
  image.alt = title;
  sheet.append(image);
  document.body.append(sheet);
  await image.decode();
  const previousTitle = document.title;
  // Browsers name the printed file after the page.
  document.title = title;
  try {
    window.print();
  } finally {
    document.title = previousTitle;
    sheet.remove();
    URL.revokeObjectURL(url);
  }
}

/** Encodes the canvas as a file. Throws if the browser has no memory for it. */
export const encodeCanvas = (canvas: HTMLCanvasElement, type: "image/png" | "image/jpeg"): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be written"))), type, 0.95),
  );

export function downloadBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download must have begun before the address is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
