import {
  IconBone,
  IconBox,
  IconCube3dSphere,
  IconDental,
  IconFileTypePdf,
  IconPanoramaHorizontal,
  IconPhoto,
  IconUserScan,
  IconVideo,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { chosenKinds } from "@arcada/contract/study/study.rules";
import type { ChosenKind, StudyKind } from "@arcada/contract/study/study.rules";
import type { ScreenName } from "@arcada/contract/screens";
import { formatDay } from "../i18n/format.ts";
import { getCurrentZone } from "../i18n/time-zone.ts";

export const kindIcons: Record<
  StudyKind,
  ComponentType<{ size?: number; stroke?: number; className?: string; "aria-hidden"?: boolean }>
> = {
  panorama: IconPanoramaHorizontal,
  lateralCeph: IconUserScan,
  dentalFilm: IconDental,
  xRay: IconBone,
  ct: IconCube3dSphere,
  photo: IconPhoto,
  video: IconVideo,
  model: IconBox,
  document: IconFileTypePdf,
};

export const getViewer = (kind: StudyKind): ScreenName => (kind === "ct" ? "ctViewer" : "viewer");
export const isKind = (text: string | null | undefined): text is ChosenKind =>
  (chosenKinds as readonly (string | null | undefined)[]).includes(text);

interface Dated {
  takenAt: string | null;
  createdAt: string;
}

/** Returns the day an image was taken, or the day it was uploaded if that is unknown. */
export const formatStudyDay = ({ takenAt, createdAt }: Dated): string => formatDay(takenAt ?? createdAt);
/** The same day in a form for sorting, identical in every language. */
export const getCalendarDay = ({ takenAt, createdAt }: Dated): string =>
  takenAt?.slice(0, 10) ?? localDayIn(getCurrentZone(), createdAt);
