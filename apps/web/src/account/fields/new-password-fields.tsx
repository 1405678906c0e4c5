import { PasswordInput, Text } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import { useWelcome } from "../sign-in/sign-in-page-layout.tsx";
import { estimateStrength } from "./password-strength.ts";
import classes from "./account.module.css";

interface Props {
  values: { password: string; confirm: string };
  set: (change: { password?: string; confirm?: string }) => void;
  error: (field: string) => string | undefined;
  disabled?: boolean;
  /** The length that this account needs; default: that of all accounts. */
  min?: number;
}
const fields = ["password", "confirm"] as const;

/** A new password, typed twice. */
export function NewPasswordFields({ values, set, error, disabled = false, min }: Props) {
  const t = useTexts("account");
  const welcome = useWelcome();
  const count = min ?? welcome?.passwordMin;
  return fields.map((field) => (
    <div key={field}>
      <PasswordInput
        name={field}
        label={t(field === "password" ? "account.newPassword" : "account.confirmPassword")}
        description={field === "password" && count !== undefined ? t("account.passwordRule", { count }) : undefined}
        autoComplete="new-password"
        size="md"
        value={values[field]}
        onChange={(event) => set({ [field]: event.currentTarget.value })}
        error={error(field)}
        disabled={disabled}
        visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
      />
      {field === "password" && <StrengthBar password={values.password} />}
    </div>
  ));
}

/** Shows the strength of a new password while it is typed. */
function StrengthBar({ password }: { password: string }) {
  const t = useTexts("account");
  const strength = estimateStrength(password);
  return (
    <div role="status" aria-label={t("account.strength")}>
      {strength !== 0 && (
        <>
          <div className={classes.strength} data-step={strength} aria-hidden>
            {[1, 2, 3, 4].map((level) => (
              <span key={level} data-on={level <= strength || undefined} />
            ))}
          </div>
          <Text size="xs" c="dimmed">
            {t(`account.strengthOf.${strength}`)}
          </Text>
        </>
      )}
    </div>
  );
}
