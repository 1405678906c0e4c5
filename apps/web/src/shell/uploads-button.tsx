import { ActionIcon, Indicator, RingProgress, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconUpload } from "@tabler/icons-react";
import { useEffect } from "react";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { dropOthers, isUnderWay, needsPerson, ownerOf, percentOf, useBatches } from "../study/upload-batches.ts";
import { showOverlay } from "./overlays.ts";

/** Shown while this tab has uploads: their number and progress, and whether one waits for an answer. */
export function UploadsButton() {
  const t = useTexts("shell");
  const owner = ownerOf(useUser());
  const all = useBatches();
  const any = all.length > 0;
  useEffect(() => {
    dropOthers(owner);
    // The upload code is loaded with the first upload, or after a reload that interrupted one.
    if (any) void import("../study/upload-centre.ts").then(({ goOnWithAll }) => goOnWithAll());
  }, [any, owner]);
  if (!any) return null;
  const waiting = all.filter(({ stage }) => needsPerson(stage)).length;
  const going = all.filter(({ stage }) => isUnderWay(stage)).length;
  const percent = percentOf(all);
  const label =
    waiting > 0
      ? t("shell.uploads.waiting", { count: waiting })
      : going > 0
        ? t("shell.uploads.going", { count: going, percent })
        : t("shell.uploads.ended");
  const colour = waiting > 0 ? "orange" : going > 0 ? "var(--mantine-primary-color-filled)" : "teal";
  const Icon = waiting > 0 ? IconAlertTriangle : going > 0 ? IconUpload : IconCheck;
  return (
    <Tooltip label={label}>
      <Indicator
        display="flex"
        label={waiting + going}
        size={16}
        offset={5}
        disabled={waiting + going === 0}
        color={colour}
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          size={38}
          onClick={() => showOverlay("uploads")}
          aria-label={label}
          aria-haspopup="dialog"
        >
          <RingProgress
            size={36}
            thickness={3}
            sections={[{ value: percent, color: colour }]}
            label={<Icon size={16} stroke={1.8} aria-hidden style={{ display: "block", margin: "auto" }} />}
          />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  );
}
