import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportRules } from "@arcada/contract/report/report.schema";
import type { ReportForm } from "@arcada/contract/report/report.schema";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import classes from "./report.module.css";

interface Props {
  report: Report;
  form: ReportForm;
  onChange: (images: ReportForm["images"]) => void;
}

/** Selects the patient's images that are printed, each with a caption. */
export function ReportImages({ report, form: { images }, onChange }: Props) {
  const t = useTexts("report", "study");
  const { images: choices } = report.choices;
  const isFull = images.length >= reportRules.images;
  return (
    <Stack gap="sm" role="group" aria-label={t("report.form.images")}>
      <Text fw={500} size="sm">
        {t("report.form.images")} ({images.length} / {reportRules.images})
      </Text>
      {choices.length === 0 && <Text size="sm">{t("report.form.noPictures")}</Text>}
      <div className={classes.choices}>
        {choices.map(({ studyId, instanceId, kind, takenAt, thumbnailUrl }, at) => {
          const chosen = images.find((one) => one.instanceId === instanceId);
          const name = `${t(`study.kind.${kind}`)} ${formatDay(takenAt)} (${at + 1})`;
          return (
            <div key={instanceId} className={classes.choice}>
              {thumbnailUrl && <img src={thumbnailUrl} alt="" loading="lazy" />}
              <Checkbox
                label={name}
                checked={chosen !== undefined}
                disabled={!chosen && isFull}
                onChange={() =>
                  onChange(
                    chosen ? images.filter((one) => one !== chosen) : [...images, { studyId, instanceId, caption: "" }],
                  )
                }
              />
              {chosen && (
                <TextInput
                  size="xs"
                  value={chosen.caption ?? ""}
                  maxLength={reportRules.caption}
                  aria-label={t("report.form.caption", { image: name })}
                  onChange={(event) => {
                    const caption = event.currentTarget.value;
                    onChange(images.map((one) => (one === chosen ? { ...one, caption } : one)));
                  }}
                />
              )}
            </div>
          );
        })}
      </div>
    </Stack>
  );
}
