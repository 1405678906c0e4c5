import { Button, CloseButton, Group, Paper, Progress, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { firstStepCalls } from "@arcada/contract/institution/first-steps.calls";
import type { FirstStep } from "@arcada/contract/institution/first-steps.calls";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { toast } from "../browser/toast.ts";
import { queryClient, queryKeyOf } from "../data/query-client.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { Section } from "../ui/page.tsx";
import classes from "./first-steps.module.css";

type FirstSteps = Output<typeof firstStepCalls.firstSteps>;

/** The place where each step is taken. */
const places: Record<FirstStep, { screen: ScreenName; search?: SearchParams; hash?: string }> = {
  patient: { screen: "patientList", search: { new: "yes" } },
  invite: { screen: "member", search: { new: "yes" } },
  partner: { screen: "relationWeb", search: { new: "yes" } },
  contact: { screen: "institution", hash: "contact" },
  logo: { screen: "institution", hash: "logos" },
  notices: { screen: "profile", hash: "notices" },
};

function useFirstSteps(): FirstSteps | undefined {
  const canRead = useCanAccess(firstStepCalls.firstSteps);
  return useCall(firstStepCalls.firstSteps, {}, { enabled: canRead }).data;
}

function useHideFirstSteps() {
  const command = useCommand(firstStepCalls.hideFirstSteps);
  const hide = async (hidden: boolean): Promise<boolean> => {
    const saved = await command.run({ hidden });
    if (saved) queryClient.setQueryData(queryKeyOf(firstStepCalls.firstSteps, {}), saved.data);
    return saved !== null;
  };
  return { hide, busy: command.busy };
}

/** Offers beside the button that opens the place of a step; the presets stand instead of it. */
type StepOffers = Partial<Record<FirstStep, ReactNode>>;

/**
 * The steps that are left in a new organisation, for its managers. A step is done when the data say so; the card leaves when
 * all are.
 * @param offers a sample patient beside the step of the first one, the presets of notices beside their step
 */
export function FirstStepsCard({ offers = {} }: { offers?: StepOffers }) {
  const t = useTexts("institution");
  const data = useFirstSteps();
  const { hide, busy } = useHideFirstSteps();
  const left = data?.steps.filter(({ done }) => !done) ?? [];
  if (!data || data.hidden || left.length === 0) return null;
  const dismiss = async () => {
    if (await hide(true)) toast("info", t("institution.steps.hidden"));
  };
  return (
    <Paper component="section" className={classes.card} aria-labelledby="first-steps">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h3" id="first-steps">
            {t("institution.steps.title")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("institution.steps.progress", { done: data.steps.length - left.length, all: data.steps.length })}
          </Text>
        </div>
        <CloseButton
          size="lg"
          disabled={busy}
          onClick={() => void dismiss()}
          aria-label={t("institution.steps.hide")}
        />
      </Group>
      <Progress
        value={((data.steps.length - left.length) / data.steps.length) * 100}
        size="sm"
        aria-label={t("institution.steps.title")}
      />
      <ol className={classes.steps}>
        {data.steps.map((one, at) => (
          <StepRow key={one.step} {...one} number={at + 1} isNext={one.step === left[0]?.step}>
            {offers[one.step]}
          </StepRow>
        ))}
      </ol>
    </Paper>
  );
}

interface StepRowProps {
  step: FirstStep;
  done: boolean;
  number: number;
  /** The first step that is left: its button is the main one. */
  isNext: boolean;
  /** More than the button that opens the place of the step. */
  children: ReactNode;
}

function StepRow({ step, done, number, isNext, children }: StepRowProps) {
  const t = useTexts("institution");
  const type = useSignedInUser().institution?.type ?? "clinic";
  // The steps of both types together are more than those of either.
  const title = t(`institution.steps.${type}.${step}` as "institution.steps.clinic.patient");
  return (
    <li className={classes.step}>
      <ThemeIcon size={26} radius="xl" variant={done ? "filled" : "light"} aria-hidden>
        {done ? <IconCheck size={16} /> : number}
      </ThemeIcon>
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {!done && (
          <Text size="xs" c="dimmed">
            {t(`institution.steps.why.${step}`)}
          </Text>
        )}
      </div>
      {done ? (
        <Text size="xs" c="dimmed">
          {t("institution.steps.done")}
        </Text>
      ) : (
        <Group gap="xs" className={classes.buttons}>
          {children}
          {!(step === "notices" && children) && (
            <Button
              component={ScreenLink}
              {...places[step]}
              size="sm"
              variant={isNext ? "filled" : "default"}
              aria-label={`${t("institution.steps.open")}: ${title}`}
            >
              {t("institution.steps.open")}
            </Button>
          )}
        </Group>
      )}
    </li>
  );
}

/** Shows the dismissed list again. */
export function ShowFirstStepsAgain() {
  const t = useTexts("institution");
  const data = useFirstSteps();
  const { hide, busy } = useHideFirstSteps();
  if (!data || !data.hidden || data.steps.every(({ done }) => done)) return null;
  return (
    <Section title={t("institution.steps.title")}>
      <Button variant="default" loading={busy} onClick={() => void hide(false)}>
        {t("institution.steps.show")}
      </Button>
    </Section>
  );
}
