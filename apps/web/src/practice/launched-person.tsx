import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { LaunchedPerson as Person } from "@arcada/contract/patient/launch-address";
import { toRecordName } from "@arcada/contract/patient/launch-address";
import type { LaunchOutcome } from "@arcada/contract/patient/practice.calls";
import { ScreenLink } from "../browser/navigation.tsx";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { CreateLaunchedPatient } from "./create-launched-patient.tsx";
import { forgetPendingLaunch } from "./pending-launch.ts";
import classes from "./launch.module.css";

type Outcome = LaunchOutcome & { person: Person };
type Candidate = LaunchOutcome["candidates"][number];

/** The person whom another program named and for whom no record is certain: the likely ones, or a new record. */
export function LaunchedPerson({ outcome }: { outcome: Outcome }) {
  const t = useTexts("launch");
  const { candidates, mayCreate } = outcome;
  const [isCreating, setCreating] = useState(candidates.length === 0 && mayCreate);
  const isChoosing = !isCreating && candidates.length > 0;
  const title = isCreating ? "create" : isChoosing ? "choose" : "absent";
  return (
    <PageBody width="reading" title={t(`launch.${title}.title`)} description={t(`launch.${title}.text`)}>
      {isCreating ? (
        <CreateLaunchedPatient
          person={outcome.person}
          onCancel={candidates.length > 0 ? () => setCreating(false) : null}
        />
      ) : (
        <>
          <SentData outcome={outcome} />
          {isChoosing && <Candidates outcome={outcome} />}
          <Group>
            {mayCreate && (
              <Button variant="default" onClick={() => setCreating(true)}>
                {t("launch.create.none")}
              </Button>
            )}
            <Button component={ScreenLink} screen="patientList" variant="default">
              {t("launch.toList")}
            </Button>
          </Group>
          {!mayCreate && (
            <Text size="sm" c="dimmed">
              {t("launch.absent.off")}
            </Text>
          )}
        </>
      )}
    </PageBody>
  );
}

function SentData({ outcome: { person, sender } }: { outcome: Outcome }) {
  const t = useTexts("launch", "patient");
  const facts = [
    [t("launch.number"), person.number],
    [t("patient.field.name"), toRecordName(person.name)],
    [t("patient.field.birthDate"), person.birthDate && formatDay(person.birthDate)],
    [t("patient.field.sex"), person.sex && t(`common.sex.${person.sex}`)],
  ] as const;
  return (
    <Section title={sender === null ? t("launch.askedAddress") : t("launch.asked", { sender })}>
      <DescriptionList dense entries={facts.filter(([, value]) => value)} />
    </Section>
  );
}

function Candidates({ outcome: { candidates, person } }: { outcome: Outcome }) {
  const t = useTexts("launch");
  return (
    <Section title={t("launch.choose.list")}>
      <ul className={classes.list}>
        {candidates.map((candidate) => (
          <CandidateRow key={candidate.id} candidate={candidate} person={person} />
        ))}
      </ul>
    </Section>
  );
}

function CandidateRow({ candidate, person }: { candidate: Candidate; person: Person }) {
  const t = useTexts("inbox");
  const differs = (["name", "birthDate"] as const).filter(
    (field) => person[field] && candidate[field] && !candidate.agrees.includes(field),
  );
  return (
    <li className={classes.candidate}>
      <div className={classes.person}>
        <Text fw={600} size="sm">
          {candidate.name}
        </Text>
        <Text size="sm" c="dimmed" className="arcada-figures">
          {[candidate.number, candidate.birthDate && formatDay(candidate.birthDate), t(`common.sex.${candidate.sex}`)]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      </div>
      <Group gap={6}>
        {candidate.agrees.map((field) => (
          <Badge key={field} size="sm" variant="light" color="teal">
            {t(`inbox.agrees.${field}`)}
          </Badge>
        ))}
        {differs.map((field) => (
          <Badge key={`differs-${field}`} size="sm" variant="light" color="red">
            {t(`inbox.differs.${field}`)}
          </Badge>
        ))}
      </Group>
      <Button
        component={ScreenLink}
        screen="patientDetail"
        search={{ id: candidate.id }}
        variant="default"
        size="xs"
        onClick={forgetPendingLaunch}
        aria-label={`${t("common.open")} ${candidate.name} ${candidate.number}`}
      >
        {t("common.open")}
      </Button>
    </li>
  );
}
