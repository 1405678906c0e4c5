import { Stack } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../kernel/texts.ts";
import { Choice } from "../ui/choice.tsx";
import { usualCountryCode } from "./account-field.tsx";
import { ByCode } from "./by-code.tsx";
import { ByPassword } from "./by-password.tsx";
import type { Entered } from "./way.ts";

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
  const form = {
    who,
    setWho: (change: Partial<typeof who>) => setWho((now) => ({ ...now, ...change })),
    done,
    disabled,
  };
  return (
    <Stack gap="lg">
      <Choice
        label={t("account.wayToSignIn")}
        value={way}
        onChange={setWay}
        options={[
          { value: "password", label: t("account.byPassword") },
          { value: "code", label: t("account.byCode") },
        ]}
      />
      {way === "password" ? <ByPassword {...form} password={password} /> : <ByCode {...form} />}
    </Stack>
  );
}
