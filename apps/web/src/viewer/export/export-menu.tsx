import { IconDownload } from "@tabler/icons-react";
import type { RefObject } from "react";
import { toast } from "../../kernel/toast.ts";
import { useTexts } from "../../kernel/texts.ts";
import { ToolMenu, type MenuRow } from "../frame/toolbar.tsx";
import { useRoomWords } from "../frame/room-words.ts";
import { blobOf, printPicture, saveAs } from "./print.ts";
import { snapshotOf, type Snapshot } from "./snapshot.ts";

interface Props {
  /** The exported element: its canvases, and drawings that are marked with `data-drawing`. */
  pane: RefObject<HTMLElement | null>;
  /** The file's name without its ending: never a patient's. */
  name: string;
  snapshot: () => Omit<Snapshot, "caption">;
  /** Notes on how it is displayed. */
  words?: readonly string[];
  /** Further export formats of this viewer. */
  more?: readonly MenuRow[];
}

/** Exports the content of a viewport as an image, on paper, or in a format of the viewer. */
export function ExportMenu({ pane, name, snapshot, words = [], more = [] }: Props) {
  const t = useTexts("viewer");
  const room = useRoomWords();
  const taken = async (title: readonly string[], give: (sheet: HTMLCanvasElement) => Promise<void>) => {
    if (!pane.current) return;
    try {
      const caption = [...title, room.text, ...words].filter(Boolean);
      await give(await snapshotOf(pane.current, { ...snapshot(), caption }));
    } catch {
      toast("error", t("viewer.export.failed"));
    }
  };
  const saved = (ending: "png" | "jpeg") => () =>
    // A file may be passed on: its caption does not name the patient.
    void taken([], async (sheet) =>
      saveAs(await blobOf(sheet, `image/${ending}`), `${name}.${ending === "jpeg" ? "jpg" : ending}`),
    );
  const rows: MenuRow[] = [
    { key: "png", label: t("viewer.export.png"), onPress: saved("png") },
    { key: "jpeg", label: t("viewer.export.jpeg"), onPress: saved("jpeg") },
    {
      key: "print",
      label: t("viewer.export.print"),
      onPress: () => void taken([room.title], (sheet) => printPicture(sheet, name)),
    },
    ...more,
  ];
  return <ToolMenu label={t("viewer.export.title")} icon={IconDownload} items={rows} />;
}
