import { Alert, Anchor, Button, Checkbox, Group, PasswordInput, SegmentedControl, Stack } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { screens } from "@arcada/contract/screens";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { AccountField, isNumber, usualCountryCode } from "./account-field.tsx";
import { CodeField } from "./code-field.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { HumanCheck } from "./human-check.tsx";
import { carryAccount } from "./carried.ts";
import { useFields } from "./use-fields.ts";

export interface Entered {
  token: string;
  remember: boolean;
}
interface Props {
  done: (entered: Entered) => void;
  /** Filled in at the start: a demo account, or who was signed in before. */
  account?: string;
  password?: string;
  disabled?: boolean;
}

type Way = "password" | "code";

/** Signs in by password or by a code that is sent. What was typed stays when the server says no. */
export function LoginForm({ done, account = "", password = "", disabled = false }: Props) {
  const t = useTexts("account");
  const [way, setWay] = useState<Way>("password");
  const [who, setWho] = useState({ account, countryCode: usualCountryCode(), remember: false });
  const form = { who, setWho: (change: Partial<typeof who>) => setWho((now) => ({ ...now, ...change })), done, disabled };
  return (
    <Stack gap="lg">
      <SegmentedControl
        fullWidth
        value={way}
        onChange={(value) => setWay(value as Way)}
        data={[
          { value: "password", label: t("account.byPassword") },
          { value: "code", label: t("account.byCode") },
        ]}
        aria-label={t("account.wayToSignIn")}
      />
      {way === "password" ? <ByPassword {...form} password={password} /> : <ByCode {...form} />}
    </Stack>
  );
}

interface Who {
  account: string;
  countryCode: string;
  remember: boolean;
}
interface WayProps {
  who: Who;
  setWho: (change: Partial<Who>) => void;
  done: (entered: Entered) => void;
  disabled: boolean;
}

function ByPassword({ who, setWho, done, disabled, password }: WayProps & { password: string }) {
  const t = useTexts("account");
  // Appear when the server asks for them: after failed attempts, or on a device that it does not know.
  const [asked, setAsked] = useState({ human: false, code: false });
  const form = useFields(accountCalls.login, {
    start: { ...who, password, code: "", human: undefined as string | undefined },
    input: ({ account, countryCode, password: typed, remember, code, human }) => ({
      account,
      ...(isNumber(account) && { countryCode }),
      password: typed,
      remember,
      ...(code && { code }),
      ...(human && { human }),
    }),
    done: ({ token }, { remember }) => done({ token, remember }),
    heard: (refused) => {
      if (refused.name === "humanNeeded" || refused.name === "humanWrong") setAsked((now) => ({ ...now, human: true }));
      if (refused.name === "codeNeeded") setAsked((now) => ({ ...now, code: true }));
      // A proof holds once: after a refusal another is needed.
      form.set({ human: undefined });
    },
  });
  const change = (values: Partial<Who>) => {
    setWho(values);
    form.set(values);
  };
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("account.byPassword")}>
      <Stack gap="md">
        <AccountField account={form.values.account} countryCode={form.values.countryCode} set={change} error={form.error("account")} disabled={disabled} />
        <PasswordInput
          name="password"
          label={t("account.password")}
          placeholder={t("account.passwordHint")}
          autoComplete="current-password"
          size="md"
          value={form.values.password}
          onChange={(event) => form.set({ password: event.currentTarget.value })}
          error={form.error("password")}
          disabled={disabled}
          visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
        />
        {asked.code && (
          <CodeField
            account={form.values.account}
            countryCode={form.values.countryCode}
            purpose="login"
            code={form.values.code}
            set={form.set}
            error={form.error("code")}
            onProblem={() => {}}
            disabled={disabled}
          />
        )}
        {asked.human && <HumanCheck human={form.values.human} onSolved={(human) => form.set({ human })} />}
        <Why refused={form.refused} problem={form.problem} account={form.values.account} />
        <Group justify="space-between">
          <Checkbox
            label={t("account.remember")}
            checked={form.values.remember}
            onChange={(event) => change({ remember: event.currentTarget.checked })}
            disabled={disabled}
          />
          <Anchor href={screens.forgot.path} size="sm" onClick={() => carryAccount(form.values.account)}>
            {t("account.forgot")}
          </Anchor>
        </Group>
        <Button type="submit" size="md" fullWidth loading={form.busy} disabled={disabled}>
          {t("account.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

function ByCode({ who, setWho, done, disabled }: WayProps) {
  const t = useTexts("account");
  const [unsent, setUnsent] = useState<{ problem?: string; refused?: RefusedAnswer }>({});
  const form = useFields(accountCalls.loginByCode, {
    start: { ...who, code: "" },
    input: ({ account, countryCode, code, remember }) => ({ account, ...(isNumber(account) && { countryCode }), code, remember }),
    done: ({ token }, { remember }) => done({ token, remember }),
  });
  const change = (values: Partial<Who>) => {
    setUnsent({});
    setWho(values);
    form.set(values);
  };
  const refused = unsent.refused ?? form.refused;
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("account.byCode")}>
      <Stack gap="md">
        <AccountField
          account={form.values.account}
          countryCode={form.values.countryCode}
          set={change}
          error={form.error("account") ?? (unsent.problem && t(`common.field.${unsent.problem}`))}
          disabled={disabled}
        />
        <CodeField
          account={form.values.account}
          countryCode={form.values.countryCode}
          purpose="login"
          code={form.values.code}
          set={form.set}
          error={form.error("code")}
          onProblem={(problem) => setUnsent({ problem })}
          onRefused={(no) => setUnsent({ refused: no })}
          disabled={disabled}
        />
        <Why refused={refused} problem={unsent.refused?.show === "form" ? unsent.refused.msg : form.problem} account={form.values.account} />
        <Checkbox
          label={t("account.remember")}
          checked={form.values.remember}
          onChange={(event) => change({ remember: event.currentTarget.checked })}
          disabled={disabled}
        />
        <Button type="submit" size="md" fullWidth loading={form.busy} disabled={disabled}>
          {t("account.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

/** Why a sign-in failed. An account that is not registered is offered the registration, with what was typed. */
function Why({ refused, problem, account }: { refused: RefusedAnswer | null; problem: string | undefined; account: string }) {
  const t = useTexts("account");
  if (refused?.name === "accountUnknown")
    return (
      <Alert variant="light" color="yellow" icon={<IconUserPlus size={18} />} role="alert" title={t("common.field.accountUnknown")}>
        <Anchor href={screens.register.path} onClick={() => carryAccount(account)}>
          {t("account.registerWith", { account })}
        </Anchor>
      </Alert>
    );
  if (refused?.name === "humanNeeded") return <FormProblem text={refused.msg} kind="info" />;
  return <FormProblem text={problem} />;
}
