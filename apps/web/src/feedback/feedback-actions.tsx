import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Feedback } from "@arcada/contract/feedback/feedback.calls";
import { feedbackLifecycle } from "@arcada/contract/feedback/feedback.lifecycle";
import type { FeedbackAction } from "@arcada/contract/feedback/feedback.lifecycle";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormError } from "../ui/form/form-error.tsx";

/** A button for each transition that is open to the reader, with its fields below. */
export function FeedbackActions({ feedback }: { feedback: Feedback }) {
  const t = useTexts("feedback");
  const [chosen, setChosen] = useState<FeedbackAction | null>(null);
  if (feedback.actions.length === 0) return null;
  return (
    <Stack gap="md">
      <Group gap="sm">
        {feedback.actions.map((action) => (
          <Button
            key={action}
            variant={chosen === action ? "light" : "default"}
            aria-expanded={chosen === action}
            onClick={() => setChosen(chosen === action ? null : action)}
          >
            {t(`feedback.actions.${action}`)}
          </Button>
        ))}
      </Group>
      {chosen && <TransitionForm key={chosen} feedback={feedback} action={chosen} />}
    </Stack>
  );
}

function TransitionForm({ feedback, action }: { feedback: Feedback; action: FeedbackAction }) {
  const t = useTexts("feedback");
  const { id, version } = feedback;
  const { asks } = feedbackLifecycle.steps[action];
  const { form, submit, busy, problem, error } = useCallForm<
    typeof feedbackCalls.step,
    { text: string; fixedIn: string }
  >(feedbackCalls.step, {
    defaults: { text: "", fixedIn: "" },
    input: ({ text, fixedIn }) => ({ id, version, action, text, ...(action === "fix" && { fixedIn }) }),
    // The page shows the new state and mounts these buttons again.
    onSuccess: () => {},
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {action === "fix" && (
          <TextInput
            label={t("feedback.fixedIn")}
            description={t("feedback.fixedInText")}
            required
            dir="ltr"
            data-autofocus
            autoComplete="off"
            {...form.register("fixedIn")}
            error={error("fixedIn")}
          />
        )}
        <Textarea
          label={t("feedback.text")}
          required={asks?.includes("text") ?? false}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={feedbackRules.maxTextLength}
          {...form.register("text")}
          error={error("text")}
        />
        <FormError text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t(`feedback.actions.${action}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
