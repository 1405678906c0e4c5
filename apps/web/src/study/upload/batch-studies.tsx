import { Button, Text } from "@mantine/core";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { StudyKindSelect } from "../study-kind-select.tsx";
import { formatStudyDay } from "../study-kinds.ts";
import { StudyThumbnail } from "../study-thumbnail.tsx";
import classes from "./batch-card.module.css";

/** The recognised studies of a batch, which the user confirms or corrects in place. */
export function BatchStudies({ job, onDetails }: { job: IngestJob; onDetails: (studyId: string) => void }) {
  const t = useTexts("study");
  const studies = useCall(
    studyCalls.list,
    { patientId: job.patientId ?? "" },
    { enabled: job.patientId !== null && job.studies.length > 0 },
  );
  const batchStudies = studies.data?.filter(({ id }) => job.studies.includes(id)) ?? [];
  if (batchStudies.length === 0) return null;
  return (
    <>
      <ul className={classes.studies}>
        {batchStudies.map((study) => (
          <li key={study.id} className={classes.study}>
            <StudyThumbnail study={study} className={classes.picture} isSmall />
            <div className={classes.words}>
              <Text size="sm" fw={600} className="arcada-figures">
                {formatStudyDay(study)}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {[
                  !study.takenAt && t("study.cameDay"),
                  study.description,
                  study.modality,
                  t("study.files", { count: study.count }),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
            </div>
            <div className={classes.kind}>
              <StudyKindSelect study={study} bare />
            </div>
            <Button size="compact-sm" variant="subtle" onClick={() => onDetails(study.id)}>
              {t("study.details")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
