import { ActionIcon, Indicator, RingProgress, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconUpload } from "@tabler/icons-react";
import { useEffect } from "react";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import {
  dropForeignBatches,
  isRunning,
  needsAttention,
  getOwner,
  getPercent,
  useBatches,
} from "../../study/upload/upload-batches.ts";
import { showOverlay } from "../overlays/overlay-state.ts";

/** Shown while this tab has uploads: their number and progress, and whether one waits for an answer. */
export function UploadsButton() {
  const t = useTexts("shell");
  const owner = getOwner(useSignedInUser());
  const all = useBatches();
  const hasUploads = all.length > 0;
  useEffect(() => {
    dropForeignBatches(owner);
    // The upload code is loaded with the first upload, or after a reload that interrupted one.
    if (hasUploads)
      void import("../../study/upload/upload-manager.ts").then(({ resumeAll: goOnWithAll }) => goOnWithAll());
  }, [hasUploads, owner]);
  if (!hasUploads) return null;
  const waiting = all.filter(({ stage }) => needsAttention(stage)).length;
  const running = all.filter(({ stage }) => isRunning(stage)).length;
  const percent = getPercent(all);
  const label =
    waiting > 0
      ? t("shell.uploads.waiting", { count: waiting })
      : running > 0
        ? t("shell.uploads.going", { count: running, percent })
        : t("shell.uploads.ended");
  const colour = waiting > 0 ? "orange" : running > 0 ? "var(--mantine-primary-color-filled)" : "teal";
  const Icon = waiting > 0 ? IconAlertTriangle : running > 0 ? IconUpload : IconCheck;
  return (
    <Tooltip label={label}>
      <Indicator
        display="flex"
        label={waiting + running}
        size={16}
        offset={5}
        disabled={waiting + running === 0}
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
