import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconMailQuestion } from "@tabler/icons-react";
import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Waiting as WaitingMessage } from "@arcada/contract/hl7/hl7.calls";
import { hl7Choices } from "@arcada/contract/hl7/hl7.rules";
import { ScreenLink } from "../browser/navigation.tsx";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import classes from "./hl7-waiting.module.css";

/** Leads from the top of the page to the messages that wait for a decision, while there are any. */
export function Hl7WaitingNotice() {
  const t = useTexts("hl7");
  const { data = [] } = useCall(hl7Calls.connections, {}, { pollMs: 5000 });
  const count = data.reduce((sum, { waiting }) => sum + waiting, 0);
  if (count === 0) return null;
  return (
    <a href="#hl7" className={classes.notice}>
      <IconMailQuestion size={20} stroke={1.7} aria-hidden />
      {t("hl7.waitingNotice", { count })}
    </a>
  );
}

/** The messages that could reach the wrong patient: a person compares and decides. */
export function Hl7Waiting() {
  const t = useTexts("hl7");
  const query = useCall(hl7Calls.waiting, {}, { pollMs: 5000 });
  return (
    <div className={classes.waiting}>
      <Title order={3} size="h4">
        {t("hl7.waitingTitle")}
      </Title>
      <QueryResult of={query} isEmpty={({ list }) => list.length === 0} empty={null}>
        {({ list, more }) => (
          <>
            <ul className={classes.list} aria-label={t("hl7.waitingTitle")}>
              {list.map((message) => (
                <WaitingEntry key={message.id} message={message} />
              ))}
            </ul>
            {more && (
              <Text size="xs" c="dimmed" mt="xs">
                {t("hl7.waitingMore")}
              </Text>
            )}
          </>
        )}
      </QueryResult>
    </div>
  );
}

const applyLabels = { merge: "applyMerge", renumber: "applyRenumber" } as const;

function WaitingEntry({ message }: { message: WaitingMessage }) {
  const t = useTexts("hl7");
  const decide = useCommand(hl7Calls.decide);
  const { id, reason, person, connection, type, createdAt } = message;
  if (reason === null) return null;
  const choices = hl7Choices[reason] ?? [];
  const apply = reason in applyLabels ? applyLabels[reason as keyof typeof applyLabels] : "applyOther";
  const name = person.name || person.number;
  return (
    <li className={classes.entry}>
      <Stack gap={4} miw={0}>
        <Text size="sm" fw={500}>
          {t(`hl7.reason.${reason}`)}
        </Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {[connection, type, formatTimestamp(createdAt)].join(" · ")}
        </Text>
      </Stack>
      <div className={classes.compared}>
        <PersonFacts title={t("hl7.inMessage")} {...person} />
        <Candidates
          message={message}
          busy={decide.busy}
          onChoose={(patientId) => void decide.run({ id, decision: "choose", patientId })}
        />
      </div>
      <Group gap="xs">
        {choices.includes("apply") && (
          <Button
            size="sm"
            loading={decide.busy}
            aria-label={`${t(`hl7.${apply}`)}: ${name}`}
            onClick={() => void decide.run({ id, decision: "apply" })}
          >
            {t(`hl7.${apply}`)}
          </Button>
        )}
        {choices.includes("create") && (
          <Button
            size="sm"
            // A second record of a person who is here already is the worse mistake.
            variant={choices.includes("choose") ? "default" : "filled"}
            loading={decide.busy}
            aria-label={`${t("hl7.create")}: ${name}`}
            onClick={() => void decide.run({ id, decision: "create" })}
          >
            {t("hl7.create")}
          </Button>
        )}
        <Button
          size="sm"
          variant="default"
          disabled={decide.busy}
          aria-label={`${t(reason === "deletion" ? "hl7.seen" : "hl7.dismiss")}: ${name}`}
          onClick={() => void decide.run({ id, decision: "dismiss" })}
        >
          {t(reason === "deletion" ? "hl7.seen" : "hl7.dismiss")}
        </Button>
      </Group>
    </li>
  );
}

interface CandidatesProps {
  message: WaitingMessage;
  busy: boolean;
  onChoose: (patientId: string) => void;
}
/** The records that a message may mean, and a button for each if one of them is to be chosen. */
function Candidates({ message: { reason, candidates }, busy, onChoose }: CandidatesProps) {
  const t = useTexts("hl7");
  const isChoice = reason !== null && hl7Choices[reason]?.includes("choose");
  // The server names the record that stays first.
  const titles = reason === "merge" ? (["stays", "joins"] as const) : (["inRecord"] as const);
  return candidates.map((candidate, at) => (
    <PersonFacts key={candidate.id} title={t(`hl7.${titles[at] ?? titles[0]}`)} {...candidate}>
      <Group gap="xs" mt={4}>
        <Anchor component={ScreenLink} screen="patientDetail" search={{ id: candidate.id }} size="xs">
          {t("hl7.open")}
        </Anchor>
        {isChoice && (
          <Button
            size="xs"
            variant={candidates.length === 1 ? "filled" : "default"}
            disabled={busy}
            aria-label={`${t("hl7.choose")}: ${candidate.name} ${candidate.number}`}
            onClick={() => onChoose(candidate.id)}
          >
            {t("hl7.choose")}
          </Button>
        )}
      </Group>
    </PersonFacts>
  ));
}

interface FactsProps {
  title: string;
  name: string;
  number: string;
  birthDate: string | null;
  children?: ReactNode;
}
function PersonFacts({ title, name, number, birthDate, children }: FactsProps) {
  const t = useTexts("hl7");
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" fw={600}>
        <bdi>{name || "–"}</bdi>
      </Text>
      <Text size="xs" className="arcada-figures">
        {[t("hl7.number", { number }), birthDate && formatDay(birthDate)].filter(Boolean).join(" · ")}
      </Text>
      {children}
    </div>
  );
}
