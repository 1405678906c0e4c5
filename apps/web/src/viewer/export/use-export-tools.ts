import { IconPhotoDown, IconPrinter, IconFileExport } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { toast } from "../../browser/toast.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { PressTool } from "../ui/modes/viewer-tool.ts";
import { useViewerHeading } from "../ui/page/viewer-heading-context.ts";
import { encodeCanvas, printImage, downloadBlob } from "./print-image.ts";
import type { SnapshotOptions } from "./snapshot.ts";

export interface ExportOptions {
  /** The exported element: its canvases, and drawings that are marked with `data-drawing`. */
  viewportRef: RefObject<HTMLElement | null>;
  /** The file's name without its ending: never a patient's. */
  name: string;
  snapshot: () => Omit<SnapshotOptions, "caption">;
  /** Notes on how it is displayed. */
  notes?: readonly string[];
  /** Waits for the final drawing, and returns notes on what it lacks. */
  settle?: () => Promise<readonly string[]>;
}

/** The tools that export the content of a viewport as an image or on paper. */
export function useExportTools(options: ExportOptions): PressTool[] {
  const { viewportRef, name, settle } = options;
  const t = useTexts("viewer");
  const header = useViewerHeading();
  // The display may change while an export waits for the final drawing.
  const latest = useRef(options);
  useEffect(() => void (latest.current = options));
  const isExporting = useRef(false);
  const exportSnapshot = async (title: readonly string[], deliver: (sheet: HTMLCanvasElement) => Promise<void>) => {
    if (isExporting.current) return;
    isExporting.current = true;
    try {
      const { renderSnapshot } = await import("./snapshot.ts");
      const lacks = (await settle?.()) ?? [];
      const { snapshot, notes = [] } = latest.current;
      const caption = [...title, header.text, ...notes, ...lacks].filter(Boolean);
      if (!viewportRef.current) return;
      await deliver(await renderSnapshot(viewportRef.current, { ...snapshot(), caption }));
    } catch {
      toast("error", t("viewer.export.failed"));
    } finally {
      isExporting.current = false;
    }
  };
  const saveImage = (extension: "png" | "jpeg") => () =>
    // A file may be passed on: its caption does not name the patient.
    void exportSnapshot([], async (sheet) =>
      downloadBlob(
        await encodeCanvas(sheet, `image/${extension}`),
        `${name}.${extension === "jpeg" ? "jpg" : extension}`,
      ),
    );
  return [
    { id: "png", label: t("viewer.export.png"), icon: IconPhotoDown, onPress: saveImage("png") },
    { id: "jpeg", label: t("viewer.export.jpeg"), icon: IconFileExport, onPress: saveImage("jpeg") },
    {
      id: "print",
      label: t("viewer.export.print"),
      icon: IconPrinter,
      onPress: () => void exportSnapshot([header.title], (sheet) => printImage(sheet, name)),
    },
  ];
}
