import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconFileDescription, IconPhoto, IconVideo } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Study, StudyRow } from "@arcada/contract/study/study.schema";
import { changeAppearance, useAppearance } from "../browser/appearance.ts";
import { ScreenLink, useSearchParams } from "../browser/navigation.tsx";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { HoverTooltip } from "../ui/overlays/hover-tooltip.tsx";
import styles from "./patient-study-strip.module.css";

/** The patient's other studies below the viewer, newest first, so that the next one is a click away. */
export function PatientStudyStrip({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { studyStrip: isOpen } = useAppearance();
  const may = useCanAccess(studyCalls.list) && study.patientId !== null;
  const { data } = useCall(studyCalls.list, { patientId: study.patientId ?? "" }, { enabled: may, pollMs: renewMs });
  if (!data || data.length < 2) return null;
  const label = t(isOpen ? "viewer.patientStrip.hide" : "viewer.patientStrip.show", { count: data.length });
  const Icon = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <div className={styles.bar} data-open={isOpen || undefined}>
      {isOpen && <StudyLinks studies={data} shownId={study.id} />}
      <HoverTooltip label={label}>
        <ActionIcon
          size={28}
          variant="subtle"
          color="gray"
          aria-label={label}
          aria-expanded={isOpen}
          onClick={() => changeAppearance({ studyStrip: !isOpen })}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </HoverTooltip>
    </div>
  );
}

/** Addresses of thumbnails expire after five minutes. */
const renewMs = 240_000;
const dayOf = ({ takenAt, createdAt }: StudyRow): string => takenAt ?? createdAt;

function StudyLinks({ studies, shownId }: { studies: readonly StudyRow[]; shownId: string }) {
  const t = useTexts("viewer", "study");
  const { order } = useSearchParams();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-current]");
    shown?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shownId]);
  return (
    <nav ref={list} className={styles.strip} aria-label={t("viewer.patientStrip.title")}>
      {studies
        .toSorted((one, other) => dayOf(other).localeCompare(dayOf(one)))
        .map((study) => {
          const Icon = study.kind === "video" ? IconVideo : study.kind === "document" ? IconFileDescription : IconPhoto;
          const [kind, day] = [t(`study.kind.${study.kind}`), formatDay(dayOf(study))];
          return (
            <ScreenLink
              key={study.id}
              screen={study.kind === "ct" ? "ctViewer" : "viewer"}
              search={{ study: study.id, order }}
              className={styles.study}
              aria-current={study.id === shownId || undefined}
              title={[kind, day, study.description].filter(Boolean).join(" · ")}
            >
              {study.thumbnailUrl ? (
                <img className={styles.picture} src={study.thumbnailUrl} alt="" loading="lazy" />
              ) : (
                <Icon className={styles.picture} stroke={1.2} aria-hidden />
              )}
              <span className={styles.words}>
                <span className={styles.kind}>{kind}</span>
                <span className={styles.day}>{day}</span>
              </span>
            </ScreenLink>
          );
        })}
    </nav>
  );
}
