import { ActionIcon, Indicator, RingProgress, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconUpload } from "@tabler/icons-react";
import { useTexts } from "../../i18n/texts.ts";
import { getPercent, isRunning, needsAttention } from "../../study/upload/upload-batches.ts";
import type { BatchState } from "../../study/upload/upload-batches.ts";
import { showOverlay } from "../overlays/overlay-state.ts";

/** The number of uploads and their progress in a ring. It opens the list of uploads. */
export function UploadsProgress({ all }: { all: readonly BatchState[] }) {
  const t = useTexts("shell");
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
        data-uploads
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
