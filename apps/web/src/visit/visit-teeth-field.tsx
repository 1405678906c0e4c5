import { ActionIcon, Badge, Input, Stack, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { visitRules, type VisitContent } from "@arcada/contract/visit/visit.calls";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { ToothChart } from "../ui/tooth-chart/tooth-chart.tsx";
import classes from "./visit.module.css";

type MarkedTeeth = VisitContent["marks"];

/** The teeth of a visit, selected on the chart, with a remark each. */
export function VisitTeeth({ marks, onChange }: { marks: MarkedTeeth; onChange: (marks: MarkedTeeth) => void }) {
  const t = useTexts("visit", "order");
  const names = useToothNames();
  const removeTooth = (tooth: number) => marks.filter(({ fdi }) => fdi !== tooth);
  const add = (teeth: readonly number[]) =>
    onChange([
      ...marks,
      ...teeth.filter((tooth) => marks.every(({ fdi }) => fdi !== tooth)).map((fdi) => ({ fdi, remark: "" })),
    ]);
  const toggle = (tooth: number) =>
    marks.some(({ fdi }) => fdi === tooth) ? onChange(removeTooth(tooth)) : add([tooth]);
  return (
    <Stack gap="xs">
      <Input.Label component="div">{t("visit.teeth")}</Input.Label>
      <div className={classes.chart}>
        <ToothChart
          names={names}
          groups={[
            {
              teeth: marks.map(({ fdi }) => fdi),
              pontics: [],
              isBridge: false,
              isActive: true,
              restoration: t("visit.marked"),
            },
          ]}
          onTooth={toggle}
          onSpan={add}
        />
      </div>
      {marks.map(({ fdi, remark }, at) => (
        <div key={fdi} className={classes.mark}>
          <Badge variant="light" radius="sm">
            {names.name(fdi)}
          </Badge>
          <TextInput
            size="xs"
            aria-label={t("visit.remark", { tooth: names.spoken(fdi) })}
            placeholder={t("visit.remarkHint")}
            maxLength={visitRules.maxRemarkLength}
            dir="auto"
            value={remark}
            onChange={(event) => onChange(marks.with(at, { fdi, remark: event.currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("visit.unmark", { tooth: names.spoken(fdi) })}
            onClick={() => onChange(removeTooth(fdi))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
    </Stack>
  );
}
