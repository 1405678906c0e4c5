import { IconDownload } from "@tabler/icons-react";
import type { RefObject } from "react";
import { toast } from "../../browser/toast.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ToolMenu, type ToolMenuItem } from "../ui/toolbar/toolbar.tsx";
import { useViewerHeading } from "../ui/page/viewer-heading-context.ts";
import { encodeCanvas, printImage, downloadBlob } from "./print-image.ts";
import { renderSnapshot, type SnapshotOptions } from "./snapshot.ts";

interface Props {
  /** The exported element: its canvases, and drawings that are marked with `data-drawing`. */
  viewportRef: RefObject<HTMLElement | null>;
  /** The file's name without its ending: never a patient's. */
  name: string;
  snapshot: () => Omit<SnapshotOptions, "caption">;
  /** Notes on how it is displayed. */
  notes?: readonly string[];
  /** Further export formats of this viewer. */
  extraRows?: readonly ToolMenuItem[];
}

/** Exports the content of a viewport as an image, on paper, or in a format of the viewer. */
export function ExportMenu({ viewportRef, name, snapshot, notes = [], extraRows = [] }: Props) {
  const t = useTexts("viewer");
  const header = useViewerHeading();
  const exportSnapshot = async (title: readonly string[], deliver: (sheet: HTMLCanvasElement) => Promise<void>) => {
    if (!viewportRef.current) return;
    try {
      const caption = [...title, header.text, ...notes].filter(Boolean);
      await deliver(await renderSnapshot(viewportRef.current, { ...snapshot(), caption }));
    } catch {
      toast("error", t("viewer.export.failed"));
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
  const rows: ToolMenuItem[] = [
    { key: "png", label: t("viewer.export.png"), onPress: saveImage("png") },
    { key: "jpeg", label: t("viewer.export.jpeg"), onPress: saveImage("jpeg") },
    {
      key: "print",
      label: t("viewer.export.print"),
      onPress: () => void exportSnapshot([header.title], (sheet) => printImage(sheet, name)),
    },
    ...extraRows,
  ];
  return <ToolMenu label={t("viewer.export.title")} icon={IconDownload} items={rows} />;
}
