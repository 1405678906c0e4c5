import "../ui/mantine-more.css";
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { memberCalls } from "@arcada/contract/member/member.calls";
import { LegalAgreement } from "../account/legal/legal-agreement.tsx";
import { useFocusFirstField } from "../account/use-focus-first-field.ts";
import { startSession } from "../browser/session-lifecycle.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { useTexts } from "../i18n/texts.ts";
import { enterInstitution } from "../member/enter-institution.ts";
import { useMemberTransition } from "../member/use-member-transition.ts";
import { FormError } from "../ui/form/form-error.tsx";

interface AnswerProps {
  invitation: Output<typeof memberCalls.open>;
  secret: string;
  /** Leads to the sign-in page, and back to this one. */
  onSignIn: () => void;
}

function useJoinForm({ email, name }: AnswerProps["invitation"], secret: string) {
  return useCallForm<typeof registrationCalls.join, { password: string; nickName: string; agree: boolean }>(
    registrationCalls.join,
    {
      defaults: { password: "", nickName: name === email ? "" : name, agree: false },
      input: ({ password, nickName, agree }) => ({
        code: secret,
        password,
        // The schema refuses what was not agreed to.
        agree: agree as true,
        ...(nickName.trim() && { nickName }),
      }),
      onSuccess: ({ token }) => {
        startSession(token, false);
        location.assign("/");
      },
    },
  );
}

/** The email proves the address, and the invitation knows name and role: only a password is missing. */
export function NewAccount({ invitation, secret, onSignIn }: AnswerProps) {
  const t = useTexts("account", "member");
  const { email, name, institution } = invitation;
  const formRef = useFocusFirstField<HTMLFormElement>();
  const { form, submit, busy, problem, error } = useJoinForm(invitation, secret);
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <input type="hidden" autoComplete="username" value={email} readOnly />
        {name === email && (
          <TextInput
            label={t("account.userName")}
            autoComplete="name"
            size="md"
            {...form.register("nickName")}
            error={error("nickName")}
          />
        )}
        <PasswordInput
          label={t("account.newPassword")}
          autoComplete="new-password"
          size="md"
          {...form.register("password")}
          error={error("password")}
          visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
        />
        <Controller
          control={form.control}
          name="agree"
          render={({ field }) => (
            <LegalAgreement checked={field.value} onChange={field.onChange} error={error("agree")} />
          )}
        />
        <FormError text={problem} />
        <Button type="submit" size="md" loading={busy}>
          {t("member.invitation.join", { institution: institution.name })}
        </Button>
        <Text size="sm" c="dimmed">
          {t("member.invitation.otherAddress")}{" "}
          <Anchor component="button" type="button" size="sm" onClick={onSignIn}>
            {t("member.invitation.signIn")}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

/** Signs in with the account of the invited address, accepts and goes inside, in one step. */
export function SignInAndJoin({ invitation: { id, email, institution }, secret, onSignIn }: AnswerProps) {
  const t = useTexts("account", "member");
  const { step } = useMemberTransition({ shownBy: "form" });
  const formRef = useFocusFirstField<HTMLFormElement>();
  const { form, submit, busy, problem, error } = useCallForm<typeof signInCalls.login, { password: string }>(
    signInCalls.login,
    {
      defaults: { password: "" },
      input: ({ password }) => ({ account: email, password }),
      onSuccess: async ({ token }) => {
        startSession(token, false);
        if ((await step({ id }, "accept", { code: secret })) && (await enterInstitution(institution.iid))) return;
        // The page shows what can be done now that the reader is signed in.
        location.reload();
      },
      // A second step, a code or the human check: the sign-in page has them all.
      onRefused: ({ name }) => {
        if (name === "factorNeeded" || name === "codeNeeded" || name === "humanNeeded") onSignIn();
      },
    },
  );
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("member.invitation.known", { email })}</Text>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={t("account.password")}
          autoComplete="current-password"
          size="md"
          {...form.register("password")}
          error={error("password")}
          visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
        />
        <FormError text={problem} />
        <Button type="submit" size="md" loading={busy}>
          {t("member.invitation.signInAndJoin")}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onSignIn}>
          {t("member.invitation.otherWay")}
        </Anchor>
      </Stack>
    </form>
  );
}
