import { Loader, Text } from "@mantine/core";
import { IconAlertTriangle, IconClockOff } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import type { StudyState } from "@arcada/contract/study/study.rules";
import { useTexts } from "../i18n/texts.ts";
import { kindIcons } from "./study-kinds.ts";
import classes from "./study-thumbnail.module.css";

type ThumbnailStudy = Pick<StudyRow, "kind" | "state" | "thumbnailUrl">;

/** The study's thumbnail on the dark background on which X-rays are read, and the reason if it cannot be opened. */
export function StudyThumbnail({
  study,
  className,
  isSmall = false,
}: {
  study: ThumbnailStudy;
  className?: string | undefined;
  isSmall?: boolean;
}) {
  const Icon = kindIcons[study.kind];
  return (
    <div className={[classes.ground, className].filter(Boolean).join(" ")}>
      {study.thumbnailUrl ? (
        <img
          src={study.thumbnailUrl}
          alt=""
          loading="lazy"
          decoding="async"
          className={classes.picture}
          data-dim={study.state !== "ready" || undefined}
        />
      ) : (
        <Icon size={isSmall ? 22 : 34} stroke={1.2} aria-hidden className={classes.icon} />
      )}
      {study.state !== "ready" && <StateLabel state={study.state} isSmall={isSmall} />}
    </div>
  );
}

type Unready = Exclude<StudyState, "ready">;
const iconByState: Record<Unready, ComponentType> = {
  converting: () => <Loader size={12} color="white" />,
  failed: () => <IconAlertTriangle size={14} aria-hidden />,
  unconverted: () => <IconClockOff size={14} aria-hidden />,
};

function StateLabel({ state, isSmall }: { state: Unready; isSmall: boolean }) {
  const t = useTexts("study");
  const Icon = iconByState[state];
  return (
    <Text
      component="span"
      size="xs"
      className={classes.state}
      data-state={state}
      title={t(`study.stateHint.${state}`)}
      {...(isSmall && { "aria-label": t(`study.state.${state}`), role: "img" })}
    >
      <Icon />
      {!isSmall && t(`study.state.${state}`)}
    </Text>
  );
}
