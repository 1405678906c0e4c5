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

/** What an engine suggests, one after the other: accepted, edited or rejected, and all of it undone until it is taken over. */
export function Suggestions({ suggestions, review: hand }: Props) {
  const t = useTexts("analysis", "chart");
  const now = lookedAt(hand.review, suggestions);
  const { length } = hand.review.order;
  if (!now)
    return (
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t("analysis.result.suggestions")}
        </Title>
        <Text size="sm" c="dimmed">
          {t("analysis.result.noSuggestions")}
        </Text>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t("analysis.result.suggestions")}
      </Title>
      <Text size="xs" c="dimmed">
        {t("analysis.review.keys")}
      </Text>
      <Group gap="xs">
        <Button
          size="sm"
          leftSection={<IconCheck size={16} aria-hidden />}
          onClick={() => hand.choose({ action: "accept" })}
        >
          {t("analysis.review.accept")}
        </Button>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          disabled={findingOfCode(now.code) === null}
          onClick={() => hand.edit(true)}
        >
          {t("analysis.review.edit")}
        </Button>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => hand.choose({ action: "reject", reason: null })}
        >
          {t("analysis.review.reject")}
        </Button>
        <Button
          size="sm"
          variant="subtle"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          disabled={length === 0}
          onClick={hand.undo}
        >
          {t("analysis.review.undo")}
        </Button>
      </Group>
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
      {hand.isEditing && findingOfCode(now.code) && (
        <EditSuggestion key={now.id} one={now} onClose={() => hand.edit(false)} onUse={hand.choose} />
      )}
    </Stack>
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
        {[codeName(t, one.code), targetName(t, teeth.name, one.target), value].filter(Boolean).join(" · ")}
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
