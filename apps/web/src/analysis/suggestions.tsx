import { Button, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { IconArrowBackUp, IconCheck, IconPencil, IconX } from "@tabler/icons-react";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { findingOfCode } from "@arcada/contract/analysis/observation";
import { showTime } from "../kernel/format.ts";
import { useTeeth } from "../kernel/tooth.ts";
import { useTexts } from "../kernel/texts.ts";
import styles from "./analysis-review.module.css";
import { EditSuggestion } from "./edit-suggestion.tsx";
import { lookedAt } from "./review.ts";
import type { ReviewHand } from "./use-review.ts";
import { codeName, confidenceText, targetName, valueText } from "./words.ts";

interface Props {
  suggestions: readonly SeenObservation[];
  review: ReviewHand;
}

/**
 * The suggestions of an engine, one after the other. The user accepts, edits or rejects each, and can undo everything
 * until the decisions are sent to the chart.
 */
export function Suggestions({ suggestions, review: hand }: Props) {
  const t = useTexts("analysis", "chart");
  const now = lookedAt(hand.review, suggestions);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t("analysis.result.suggestions")}
      </Title>
      {now ? (
        <Deciding now={now} suggestions={suggestions} hand={hand} />
      ) : (
        <Text size="sm" c="dimmed">
          {t("analysis.result.noSuggestions")}
        </Text>
      )}
    </Stack>
  );
}

interface DecidingProps {
  now: SeenObservation;
  suggestions: readonly SeenObservation[];
  hand: ReviewHand;
}
function Deciding({ now, suggestions, hand }: DecidingProps) {
  const t = useTexts("analysis");
  const { length } = hand.review.order;
  const isFinding = findingOfCode(now.code) !== null;
  return (
    <>
      <Text size="xs" c="dimmed">
        {t("analysis.review.keys")}
      </Text>
      <DecidingButtons hand={hand} isFinding={isFinding} />
      <ul className={styles.rows}>
        {suggestions.map((one) => (
          <li key={one.id}>
            <UnstyledButton
              className={styles.one}
              aria-current={one.id === now.id || undefined}
              onClick={() => hand.lookAt(one.id)}
            >
              <Suggestion one={one} hand={hand} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t("analysis.review.pending")}
      </Text>
      <Button disabled={length === 0} loading={hand.isBusy} onClick={() => void hand.finish()}>
        {t("analysis.review.finish", { number: length })}
      </Button>
      {hand.isEditing && isFinding && (
        <EditSuggestion key={now.id} one={now} onClose={() => hand.edit(false)} onUse={hand.choose} />
      )}
    </>
  );
}

function DecidingButtons({ hand, isFinding }: { hand: ReviewHand; isFinding: boolean }) {
  const t = useTexts("analysis");
  const steps = [
    { name: "accept", Icon: IconCheck, on: () => hand.choose({ action: "accept" }), off: false },
    { name: "edit", Icon: IconPencil, on: () => hand.edit(true), off: !isFinding },
    { name: "reject", Icon: IconX, on: () => hand.choose({ action: "reject", reason: null }), off: false },
    { name: "undo", Icon: IconArrowBackUp, on: hand.undo, off: hand.review.order.length === 0 },
  ];
  return (
    <Group gap="xs">
      {steps.map(({ name, Icon, on, off }) => (
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

function Suggestion({ one, hand }: { one: SeenObservation; hand: ReviewHand }) {
  const t = useTexts("analysis", "chart");
  const teeth = useTeeth();
  const choice = hand.review.choices[one.id];
  const value = one.value === true ? "" : valueText(t, one);
  const said = one.decision;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600} component="span">
        {[codeName(t, one.code), targetName(t, teeth.name, one), value].filter(Boolean).join(" · ")}
      </Text>
      <Text size="xs" c="dimmed" component="span">
        {confidenceText(t, one.confidence)}
      </Text>
      {choice ? (
        <Text size="xs" fw={600} component="span">
          {t(`analysis.review.chosen.${choice.action}`)}
        </Text>
      ) : (
        said && (
          <Text size="xs" component="span">
            {t(`analysis.review.decided.${said.what}`, { name: said.by, time: showTime(said.at) })}
          </Text>
        )
      )}
    </Stack>
  );
}
