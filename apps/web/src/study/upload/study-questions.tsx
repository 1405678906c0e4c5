import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { studyQuestionCalls, studyAnswers } from "@arcada/contract/study/study-question.calls";
import type { StudyAnswer, StudyQuestion } from "@arcada/contract/study/study-question.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { formatDay } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { findDifferences } from "../inbox/candidate-differences.ts";
import { GuessedNameBadge } from "../guessed-name-badge.tsx";
import { getViewer } from "../study-kinds.ts";
import { StudyThumbnail } from "../study-thumbnail.tsx";
import classes from "./study-questions.module.css";

/**
 * Studies that were uploaded for this patient but name another person. Every member of the clinic may answer, once for
 * each study.
 */
export function StudyQuestions({ patientId, patientName }: { patientId: string; patientName: string }) {
  const t = useTexts("study");
  const questions = useCall(studyQuestionCalls.questions, { patientId });
  const command = useCommand(studyQuestionCalls.answer);
  const may = useCanAccess(studyQuestionCalls.answer);
  const all = questions.data ?? [];
  if (all.length === 0) return null;
  const sendAnswer = async (answer: StudyAnswer, studies: StudyQuestion[]) => {
    const request = { patientId, answer, studies: studies.map(({ id }) => id) };
    const done = await command.run(request, () => void questions.refetch());
    if (done) toast("success", t(`study.question.done.${answer}`, { name: patientName, days: studyRules.binDays }));
  };
  return (
    <section className={classes.whole} aria-label={t("study.question.title", { count: all.length })}>
      <Text size="sm" fw={600} role="alert">
        {t("study.question.title", { count: all.length })}
      </Text>
      <ul className={classes.questions}>
        {all.map((question) => (
          <Question
            key={question.id}
            question={question}
            isBusy={command.busy}
            onAnswer={may ? (answer) => void sendAnswer(answer, [question]) : null}
          />
        ))}
      </ul>
      {may && all.length > 1 && (
        <AnswerAll all={all} isBusy={command.busy} onAnswer={(answer) => void sendAnswer(answer, all)} />
      )}
    </section>
  );
}

interface QuestionProps {
  question: StudyQuestion;
  isBusy: boolean;
  /** Null if the reader may not answer. */
  onAnswer: ((answer: StudyAnswer) => void) | null;
}

function Question({ question, isBusy, onAnswer }: QuestionProps) {
  const t = useTexts("study");
  const { files, kind, untilAt } = question;
  const [first = ""] = files.names;
  const more = files.count - files.names.length;
  return (
    <li className={classes.question}>
      <ScreenLink
        screen={getViewer(kind)}
        search={{ study: question.id }}
        className={classes.look}
        aria-label={t("study.open", {
          kind: t(`study.kind.${kind}`),
          day: formatDay(question.takenAt ?? question.createdAt),
        })}
      >
        <StudyThumbnail study={question} className={classes.picture} isSmall />
      </ScreenLink>
      <div className={classes.words}>
        <Text size="sm" fw={600} className={classes.file}>
          {files.names.join(", ")} {more > 0 && t("study.question.moreFiles", { count: more })}
        </Text>
        <Text size="xs" c="dimmed">
          {[t(`study.kind.${kind}`), question.description, t("study.files", { count: question.count })]
            .filter(Boolean)
            .join(" · ")}
        </Text>
        <PersonComparison question={question} />
        {onAnswer && (
          <Group gap="xs">
            {studyAnswers.map((answer) => (
              <Button
                key={answer}
                size="xs"
                variant={answer === "discard" ? "subtle" : "default"}
                {...(answer === "discard" && { color: "gray" })}
                // A study that is being prepared cannot be discarded yet.
                disabled={isBusy || (answer === "discard" && question.state === "converting")}
                aria-label={t(`study.question.${answer}One`, { file: first })}
                onClick={() => onAnswer(answer)}
              >
                {t(`study.question.${answer}`)}
              </Button>
            ))}
          </Group>
        )}
        <Text size="xs" c="dimmed" mt={8}>
          {t("study.question.until", { day: formatDay(untilAt) })}
        </Text>
      </div>
    </li>
  );
}

/** The person in the file beside the patient's record. A difference is marked by a word as well as by its colour. */
function PersonComparison({ question: { person, patient } }: { question: StudyQuestion }) {
  const t = useTexts("study", "common");
  if (!person) return null;
  const differs = new Set(findDifferences(person, patient));
  const sex = (one: typeof person.sex) => (one ? t(`common.sex.${one}`) : "–");
  const rows = [
    { field: "name", file: person.name || t("common.unknown"), own: patient.name },
    { field: "birthDate", file: formatDay(person.birthDate), own: formatDay(patient.birthDate) },
    { field: "sex", file: sex(person.sex), own: sex(patient.sex) },
    { field: "number", file: person.number || "–", own: patient.number },
  ] as const;
  return (
    <table className={classes.compared}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{t("study.question.compared")}</VisuallyHidden>
          </th>
          <th scope="col">{t("study.question.files")}</th>
          <th scope="col">{t("study.question.patient")}</th>
        </tr>
      </thead>
      <tbody className="arcada-figures">
        {rows.map(({ field, file, own }) => (
          <tr key={field} data-differs={differs.has(field) || undefined}>
            <th scope="row">{t(`study.question.${field}`)}</th>
            <td>
              {file} {field === "name" && person.guessed && <GuessedNameBadge />}
              {differs.has(field) && <span className={classes.differs}>{t("study.question.differs")}</span>}
            </td>
            <td>{own}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface AnswerAllProps {
  all: StudyQuestion[];
  isBusy: boolean;
  onAnswer: (answer: StudyAnswer) => void;
}

function AnswerAll({ all, isBusy, onAnswer }: AnswerAllProps) {
  const t = useTexts("study");
  return (
    <Group gap="xs" className={classes.all}>
      <Text size="sm">{t("study.question.all", { count: all.length })}</Text>
      {studyAnswers.map((answer) => (
        <Button
          key={answer}
          size="compact-sm"
          variant={answer === "discard" ? "subtle" : "default"}
          {...(answer === "discard" && { color: "gray" })}
          disabled={isBusy || (answer === "discard" && all.some(({ state }) => state === "converting"))}
          onClick={() => onAnswer(answer)}
        >
          {t(`study.question.${answer}All`)}
        </Button>
      ))}
    </Group>
  );
}
