import { IconDownload } from "@tabler/icons-react";
import type { RefObject } from "react";
import { toast } from "../../kernel/toast.ts";
import { useTexts } from "../../kernel/texts.ts";
import { ToolMenu, type MenuRow } from "../frame/toolbar.tsx";
import { blobOf, printPicture, saveAs } from "./print.ts";
import { snapshotOf, type Snapshot } from "./snapshot.ts";

interface Props {
  /** What is exported: its canvases, and drawings that are marked with `data-drawing`. */
  pane: RefObject<HTMLElement | null>;
  /** The file's name without its ending: never a patient's. */
  name: string;
  snapshot: () => Snapshot;
  /** Further ways out of this viewer. */
  more?: readonly MenuRow[];
}

/** What is shown as a picture, on paper, or in a viewer's own ways. */
export function ExportMenu({ pane, name, snapshot, more = [] }: Props) {
  const t = useTexts("viewer");
  const taken = async (give: (sheet: HTMLCanvasElement) => Promise<void>) => {
    if (!pane.current) return;
    try {
      await give(await snapshotOf(pane.current, snapshot()));
    } catch {
      toast("error", t("viewer.export.failed"));
    }
  };
  const saved = (ending: "png" | "jpeg") => () =>
    void taken(async (sheet) =>
      saveAs(await blobOf(sheet, `image/${ending}`), `${name}.${ending === "jpeg" ? "jpg" : ending}`),
    );
  const rows: MenuRow[] = [
    { key: "png", label: t("viewer.export.png"), onPress: saved("png") },
    { key: "jpeg", label: t("viewer.export.jpeg"), onPress: saved("jpeg") },
    { key: "print", label: t("viewer.export.print"), onPress: () => void taken((sheet) => printPicture(sheet, name)) },
    ...more,
  ];
  return <ToolMenu label={t("viewer.export.title")} icon={IconDownload} items={rows} />;
}
