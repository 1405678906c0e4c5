import { Badge, Chip, Group, Kbd, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import { allowedCrownCodes, findingRules, isAssessed, canFindingApply } from "@arcada/contract/chart/chart.rules";
import { findingCodes, findingGroups, findingNames, presences } from "@arcada/contract/chart/chart.schema";
import type { ChartTooth, FindingCode, FindingGroup } from "@arcada/contract/chart/chart.schema";
import { isDeciduous } from "@arcada/contract/kernel/tooth-numbers";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { withCrown, withFinding, withPresence } from "./chart-edit.ts";
import type { ChartAuthor } from "./chart-edit.ts";
import { findingKeys, presenceKeys } from "./chart-keys.ts";
import { FindingDetails } from "./finding-details.tsx";
import { SurfaceDiagram } from "./surface-diagram.tsx";
import { FindingSign } from "./tooth-drawing.tsx";
import { ToothPlanLinks } from "./tooth-plan-links.tsx";
import classes from "./tooth-panel.module.css";

interface ToothPanelProps {
  patientId: string;
  tooth: ChartTooth;
  people: Chart["people"];
  author: ChartAuthor;
  onChange: (tooth: ChartTooth) => void;
  onConfirm: () => void;
}

/** All entries of one tooth, for editing. */
export function ToothPanel({ patientId, tooth, people, author, onChange, onConfirm }: ToothPanelProps) {
  const t = useTexts("chart");
  const { spoken } = useToothNames();
  const { fdi, presence, crown } = tooth;
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h4">
          {spoken(fdi)}
        </Title>
        <Badge variant="light" color={isAssessed(tooth) ? "teal" : "gray"} tt="none">
          {t(isAssessed(tooth) ? `chart.presence.${presence}` : "chart.presence.unknown")}
        </Badge>
      </Group>
      <ToothPlanLinks patientId={patientId} tooth={tooth} />
      <OptionGroup
        title={t("chart.panel.presence")}
        value={presence}
        options={presences
          .filter((value) => value !== "implant" || !isDeciduous(fdi))
          .map((value) => ({
            value,
            label: t(`chart.presence.${value}`),
            sign: value === "unknown" ? "9" : presenceKeys[value],
          }))}
        onChosen={(value) => onChange(withPresence(tooth, value))}
      />
      {(presence === "unknown" || allowedCrownCodes[presence].length > 0) && (
        <OptionGroup
          title={t("chart.panel.crown")}
          value={crown}
          options={allowedCrownCodes[presence === "unknown" ? "present" : presence].map((value) => ({
            value,
            label: t(`chart.crown.${value}`),
            sign: String(value),
          }))}
          onChosen={(value) => onChange(withCrown(tooth, value === crown ? null : value))}
        />
      )}
      <SurfaceDiagram tooth={tooth} author={author} onChange={onChange} />
      {findingGroups.map((group) => (
        <FindingGroupRow key={group} group={group} tooth={tooth} author={author} onChange={onChange} />
      ))}
      <FindingDetails tooth={tooth} people={people} onChange={onChange} />
      <Confirmation tooth={tooth} people={people} onConfirm={onConfirm} />
    </Stack>
  );
}

interface OptionGroupProps<V extends string | number> {
  title: ReactNode;
  value: V | null;
  options: readonly { value: V; label: string; sign: string }[];
  onChosen: (value: V) => void;
}
function OptionGroup<V extends string | number>({ title, value, options, onChosen }: OptionGroupProps<V>) {
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      <div className={classes.choices}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            className={classes.choice}
            aria-pressed={option.value === value}
            onClick={() => onChosen(option.value)}
          >
            {option.label}
            <Kbd size="xs" dir="ltr" aria-hidden>
              {option.sign}
            </Kbd>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface GroupProps {
  group: FindingGroup;
  tooth: ChartTooth;
  author: ChartAuthor;
  onChange: (tooth: ChartTooth) => void;
}
function FindingGroupRow({ group, tooth, author, onChange }: GroupProps) {
  const t = useTexts("chart");
  const codes = findingNames.filter((code) => findingCodes[code] === group && isOffered(code, tooth));
  if (codes.length === 0) return null;
  return (
    <fieldset className={classes.group}>
      <legend>
        <FindingSign group={group} /> {t(`chart.group.${group}`)}
      </legend>
      <div className={classes.choices}>
        {codes.map((code) => (
          <button
            key={code}
            type="button"
            className={classes.choice}
            data-group={group}
            aria-pressed={tooth.findings.some((one) => one.code === code)}
            onClick={() => onChange(withFinding(tooth, code, author) ?? tooth)}
          >
            {t(`chart.finding.${code}`)}
            <Kbd size="xs" dir="ltr" aria-hidden>
              ⇧{findingKeys[code]}
            </Kbd>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * True if the finding may be noted at the tooth in its state. For a tooth that nobody has assessed, the finding would
 * set the state.
 */
const isOffered = (code: FindingCode, { fdi, presence }: ChartTooth): boolean =>
  canFindingApply(code, { fdi, presence: presence === "unknown" ? findingRules[code].presences[0] : presence });

function Confirmation({ tooth, people, onConfirm }: Pick<ToothPanelProps, "tooth" | "people" | "onConfirm">) {
  const t = useTexts("chart");
  if (!isAssessed(tooth)) return null;
  const by = people.find(({ id }) => id === tooth.confirmedBy)?.name ?? t("chart.someone");
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {tooth.confirmedBy ? t("chart.confirmed", { name: by }) : t("chart.unconfirmed")}
      </Text>
      <Chip checked={tooth.confirmedBy !== null} onChange={onConfirm} size="sm">
        {t("chart.confirm")}
      </Chip>
    </Group>
  );
}
