import { Alert, Button, Group, Radio, Stack, Text } from "@mantine/core";
import { IconArrowsLeftRight, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { mergeRules, patientMergeCalls, patientContents } from "@arcada/contract/patient/patient-merge.calls";
import type { MergeChoice } from "@arcada/contract/patient/patient-merge.calls";
import { fieldsOfMerge, mergeFields, mergeRuleOf } from "@arcada/contract/patient/patient-fields";
import type { MergeField } from "@arcada/contract/patient/patient-fields";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { formatDay, formatList } from "../../i18n/format.ts";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import type { Translate } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { formatField } from "../format-field.ts";
import classes from "./patient-merge.module.css";

interface MergeComparisonProps {
  firstId: string;
  secondId: string;
  onBack: () => void;
  onMerged: () => void;
}

/** Two records side by side: which of them to keep, the merged values, and the data that moves along. */
export function MergeComparison({ firstId, secondId, onBack, onMerged }: MergeComparisonProps) {
  const t = useTexts("patient");
  const [isSwapped, setSwapped] = useState(false);
  const ids = isSwapped ? { keepId: secondId, otherId: firstId } : { keepId: firstId, otherId: secondId };
  const query = useCall(patientMergeCalls.beside, ids);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {t("patient.merge.back")}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowsLeftRight size={15} aria-hidden />}
          onClick={() => setSwapped(!isSwapped)}
        >
          {t("patient.merge.swap")}
        </Button>
      </Group>
      <QueryResult of={query}>
        {(pair) => <RecordPairForm key={pair.kept.id + pair.kept.version} pair={pair} onMerged={onMerged} />}
      </QueryResult>
    </Stack>
  );
}

type Choices = Partial<Record<MergeField, MergeChoice>>;
type RecordPair = Output<typeof patientMergeCalls.beside>;

function RecordPairForm({ pair, onMerged }: { pair: RecordPair; onMerged: () => void }) {
  const t = useTexts("patient");
  const go = useOpenScreen();
  const { kept, other } = pair;
  const fields = findDifferingFields(t, kept, other);
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(fields.map((field) => [field, getInitialChoice(t, kept, other, field)])),
  );
  const merge = useCommand(patientMergeCalls.merge, { shownBy: "form", removedIds: ({ otherId }) => [otherId] });
  const submit = async () => {
    const versions = { keepVersion: kept.version, otherVersion: other.version };
    if (!(await merge.run({ keepId: kept.id, otherId: other.id, ...versions, choices }))) return;
    toast("success", t("patient.merge.merged", { number: other.number }));
    onMerged();
    go("patientDetail", { id: kept.id });
  };
  return (
    <>
      <div className={classes.heads}>
        {[kept, other].map((one, at) => (
          <div key={one.id} className={classes.head} data-kept={at === 0 || undefined}>
            <Text size="xs" c="dimmed">
              {t(at === 0 ? "patient.merge.kept" : "patient.merge.other")}
            </Text>
            <Text fw={600} className={classes.value}>
              {one.name}
            </Text>
            <Text size="xs" c="dimmed">
              {one.number} · {t("patient.merge.created", { day: formatDay(one.createdAt) })}
            </Text>
          </div>
        ))}
      </div>
      {fields.length === 0 && <Text size="sm">{t("patient.merge.alike")}</Text>}
      {fields.map((field) => (
        <MergeFieldChoice
          key={field}
          field={field}
          pair={pair}
          chosen={choices[field] ?? "kept"}
          onChoose={(choice) => setChoices({ ...choices, [field]: choice as "kept" })}
        />
      ))}
      <MovedData pair={pair} />
      <FormError text={merge.refused?.msg} />
      <Group justify="flex-end">
        <Button loading={merge.busy} onClick={() => void submit()}>
          {t("patient.merge.action", { number: kept.number })}
        </Button>
      </Group>
    </>
  );
}

interface MergeFieldChoiceProps {
  field: MergeField;
  pair: RecordPair;
  chosen: string;
  onChoose: (choice: string) => void;
}
function MergeFieldChoice({ field, pair: { kept, other }, chosen, onChoose }: MergeFieldChoiceProps) {
  const t = useTexts("patient");
  const label = {
    kept: formatMergeField(t, kept, field),
    other: formatMergeField(t, other, field),
    both: t("patient.merge.both"),
  };
  return (
    <Radio.Group label={t(getMergeTitleKey(field))} value={chosen} onChange={onChoose} className={classes.field!}>
      <div className={classes.choices}>
        {getChoices(t, kept, other, field).map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={label[choice] || t("patient.merge.empty")}
            className={classes.choice!}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

function MovedData({ pair: { moves, stays } }: { pair: RecordPair }) {
  const t = useTexts("patient");
  const moving = formatCounts(t, moves);
  const staying = formatCounts(t, stays);
  return (
    <Alert color="blue" icon={<IconInfoCircle size={18} />}>
      <Stack gap={4}>
        <Text size="sm">{moving ? t("patient.merge.moves", { what: moving }) : t("patient.merge.movesNothing")}</Text>
        {staying && <Text size="sm">{t("patient.merge.stays", { what: staying })}</Text>}
        <Text size="sm">{t("patient.merge.undoable", { days: mergeRules.undoDays })}</Text>
      </Stack>
    </Alert>
  );
}

const formatCounts = (t: Translate, things: RecordPair["moves"]): string =>
  formatList(
    patientContents.flatMap((thing) =>
      things[thing] === undefined ? [] : [t(`patient.merge.thing.${thing}`, { count: things[thing] })],
    ),
  );

/** Returns the text of the first field of a choice that has one: the birth date, else the age. */
const formatMergeField = (t: Translate, patient: Patient, choice: MergeField): string =>
  fieldsOfMerge(choice)
    .map((field) => formatField(t, patient, field))
    .find((text) => text !== "") ?? "";

const getMergeTitleKey = (choice: MergeField) => `patient.field.${fieldsOfMerge(choice)[0]!}` as const;

/** Fields in which two records differ. */
const findDifferingFields = (t: Translate, kept: Patient, other: Patient): MergeField[] =>
  mergeFields.filter((field) => formatMergeField(t, kept, field) !== formatMergeField(t, other, field));

/** Returns the choices for a field in which two records differ. "Both" is only possible if both records have text. */
const getChoices = (t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice[] =>
  mergeRuleOf(field) === "join" && formatMergeField(t, kept, field) && formatMergeField(t, other, field)
    ? ["kept", "other", "both"]
    : ["kept", "other"];

/**
 * Returns the initial choice: both texts where possible, the kept record's value if both records have one. A known
 * disease of the other record takes precedence.
 */
function getInitialChoice(t: Translate, kept: Patient, other: Patient, field: MergeField): MergeChoice {
  if (getChoices(t, kept, other, field).includes("both")) return "both";
  const hasKnownCondition = mergeRuleOf(field) === "yesWins" && fieldsOfMerge(field).some((one) => other[one] === true);
  return hasKnownCondition || !formatMergeField(t, kept, field) ? "other" : "kept";
}
