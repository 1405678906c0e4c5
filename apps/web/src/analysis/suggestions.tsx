import { Button, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { IconArrowBackUp, IconCheck, IconChecks, IconPencil, IconX } from "@tabler/icons-react";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { formatTimestamp } from "../i18n/format.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useTexts } from "../i18n/texts.ts";
import styles from "./analysis-review.module.css";
import { EditSuggestion } from "./edit-suggestion.tsx";
import { RenumberTooth } from "./renumber-tooth.tsx";
import { canEdit, getCurrent, isCertain, isContradicted } from "./review-decisions.ts";
import type { ReviewController } from "./use-review.ts";
import { getCodeName, formatConfidence, getTargetName, formatValue } from "./analysis-text.ts";

interface Props {
  suggestions: readonly SeenObservation[];
  review: ReviewController;
}

/**
 * The suggestions of an engine, one after the other. The user accepts, edits or rejects each, and can undo everything
 * until the decisions are sent to the chart.
 */
export function Suggestions({ suggestions, review: controller }: Props) {
  const t = useTexts("analysis", "chart");
  const current = getCurrent(controller.review, suggestions);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t("analysis.result.suggestions")}
      </Title>
      {current ? (
        <DecisionPanel current={current} suggestions={suggestions} controller={controller} />
      ) : (
        <Text size="sm" c="dimmed">
          {t("analysis.result.noSuggestions")}
        </Text>
      )}
    </Stack>
  );
}

interface DecisionPanelProps {
  current: SeenObservation;
  suggestions: readonly SeenObservation[];
  controller: ReviewController;
}
function DecisionPanel({ current, suggestions, controller }: DecisionPanelProps) {
  const t = useTexts("analysis");
  const { length } = controller.review.order;
  const isEditable = canEdit(current);
  const certain = suggestions.filter((one) => isCertain(controller.chart, one));
  const doubtful = suggestions.filter((one) => !isCertain(controller.chart, one));
  const EditDialog = current.code === "TOOTH_BOX" ? RenumberTooth : EditSuggestion;
  return (
    <>
      {controller.mayDecide && controller.confirmable > 0 && <ConfirmTogether controller={controller} />}
      {controller.mayDecide ? (
        <>
          <Text size="xs" c="dimmed">
            {t("analysis.review.keys")}
          </Text>
          <DecisionButtons controller={controller} isEditable={isEditable} />
        </>
      ) : (
        <Text size="sm">{t("analysis.review.byDentist")}</Text>
      )}
      {doubtful.length > 0 && doubtful.length < suggestions.length && (
        <Text size="sm" fw={600}>
          {t("analysis.review.check")}
          <Text span size="xs" c="dimmed" fw={400} display="block">
            {t("analysis.review.checkText")}
          </Text>
        </Text>
      )}
      <SuggestionList {...{ current, controller }} suggestions={doubtful} />
      {certain.length > 0 && <SuggestionList {...{ current, controller }} suggestions={certain} />}
      {controller.mayDecide && (
        <>
          <Text size="xs" c="dimmed">
            {t("analysis.review.pending")}
          </Text>
          <Button disabled={length === 0} loading={controller.isBusy} onClick={() => void controller.finish()}>
            {t("analysis.review.finish", { number: length })}
          </Button>
        </>
      )}
      {controller.isEditing && isEditable && (
        <EditDialog key={current.id} one={current} onClose={() => controller.edit(false)} onUse={controller.choose} />
      )}
    </>
  );
}

/** The one key of a dentist who agrees with what is drawn into the image. */
function ConfirmTogether({ controller: { confirmable, confirm, isBusy } }: { controller: ReviewController }) {
  const t = useTexts("analysis");
  return (
    <Stack gap={4}>
      <Button leftSection={<IconChecks size={18} aria-hidden />} loading={isBusy} onClick={() => void confirm()}>
        {t("analysis.review.confirm", { count: confirmable })}
      </Button>
      <Text size="xs" c="dimmed">
        {t("analysis.review.confirmKey")}
      </Text>
    </Stack>
  );
}

function SuggestionList({ current, suggestions, controller }: DecisionPanelProps) {
  return (
    <ul className={styles.rows}>
      {suggestions.map((one) => (
        <li key={one.id}>
          <UnstyledButton
            className={styles.one}
            aria-current={one.id === current.id || undefined}
            onClick={() => controller.select(one.id)}
          >
            <Suggestion one={one} controller={controller} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

function DecisionButtons({ controller, isEditable }: { controller: ReviewController; isEditable: boolean }) {
  const t = useTexts("analysis");
  const buttons = [
    { name: "accept", Icon: IconCheck, on: () => controller.choose({ action: "accept" }), off: false },
    { name: "edit", Icon: IconPencil, on: () => controller.edit(true), off: !isEditable },
    { name: "reject", Icon: IconX, on: () => controller.choose({ action: "reject", reason: null }), off: false },
    { name: "undo", Icon: IconArrowBackUp, on: controller.undo, off: controller.review.order.length === 0 },
  ] as const;
  return (
    <Group gap="xs">
      {buttons.map(({ name, Icon, on, off }) => (
        <Button
          key={name}
          size="sm"
          variant={name === "accept" ? "filled" : "default"}
          leftSection={<Icon size={16} aria-hidden />}
          disabled={off}
          onClick={on}
        >
          {t(`analysis.review.${name}`)}
        </Button>
      ))}
    </Group>
  );
}

function Suggestion({ one, controller }: { one: SeenObservation; controller: ReviewController }) {
  const t = useTexts("analysis", "chart");
  const teeth = useToothNames();
  const choice = controller.review.choices[one.id];
  const value = one.value === true ? "" : formatValue(t, one);
  const decision = one.decision;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600} component="span">
        {[getCodeName(t, one.code), getTargetName(t, teeth.name, one), value].filter(Boolean).join(" · ")}
      </Text>
      <Text size="xs" c="dimmed" component="span">
        {formatConfidence(t, one.confidence)}
      </Text>
      <Contradiction one={one} chart={controller.chart} />
      {choice ? (
        <Text size="xs" fw={600} component="span">
          {t(`analysis.review.chosen.${choice.action === "renumber" ? "edit" : choice.action}`)}
          {choice.action === "renumber" && ` (${teeth.name(choice.fdi)})`}
        </Text>
      ) : (
        decision && (
          <Text size="xs" component="span">
            {t(`analysis.review.decided.${decision.what}`, { name: decision.by, time: formatTimestamp(decision.at) })}
          </Text>
        )
      )}
    </Stack>
  );
}

/** Names the chart's record of the tooth where the suggestion says something else. */
function Contradiction({ one, chart }: { one: SeenObservation; chart: ChartContent | undefined }) {
  const t = useTexts("analysis", "chart");
  if (!chart || one.target.kind !== "tooth" || !isContradicted(chart, one)) return null;
  const state = t(`chart.presence.${findTooth(chart, one.target.fdi).presence}`);
  return (
    <Text size="xs" fw={600} component="span">
      {t("analysis.review.contradicts", { state })}
    </Text>
  );
}
