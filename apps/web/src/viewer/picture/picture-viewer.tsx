import type { Instance, Series } from "@arcada/contract/study/study.calls";
import { useState } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { Failed, Loading } from "../frame/states.tsx";
import type { Marks } from "../marks/use-marks.ts";
import type { PictureFile } from "./load-picture.ts";
import { PicturePane } from "./picture-pane.tsx";
import { usePicture } from "./use-picture.ts";
import type { PictureShelf } from "./use-picture-view.ts";

interface Props {
  series: Series;
  instance: Instance;
  marks: Marks;
  /** Returns a renewed address. */
  renew: () => Promise<PictureFile | null>;
  /** The page's store of the orientation and the display settings of its images. */
  shelf: PictureShelf;
}

/** One image with its tools: panorama, ceph, radiograph or photo. Give it the instance's id as key. */
export function PictureViewer({ series, instance, marks, renew, shelf }: Props) {
  const t = useTexts("viewer");
  const [frame, setFrame] = useState(0);
  const load = usePicture(instance, frame, renew);
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.part} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onAgain={load.again} />;
  return <PicturePane {...{ series, instance, marks, frame, shelf }} loaded={load.loaded} onFrame={setFrame} />;
}
