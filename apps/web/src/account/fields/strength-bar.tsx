import { Text } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import { estimateStrength } from "./password-strength.ts";
import classes from "./account.module.css";

/** Shows the strength of a new password while it is typed. */
export function StrengthBar({ password }: { password: string }) {
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
