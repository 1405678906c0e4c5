import { Group, NativeSelect, TextInput } from "@mantine/core";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import { accountProblem } from "@arcada/contract/account/account.rules";
import { currentLanguage, useTexts } from "../../i18n/texts.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import { formatCountry } from "./format-country.ts";
import classes from "./account.module.css";

export const getDefaultCountryCode = (): string => (currentLanguage() === "zh" ? "+86" : "+1");
/** True for a number, which needs a country code. */
export const isPhoneNumber = (account: string): boolean => /^\d+$/.test(account.trim());

/** False until the server has said so: people are not offered what may not work. */
export const useOffersPhone = (): boolean => useCallOnce(loginPageCalls.welcome)?.phone ?? false;

interface Props {
  /** Restricts the field to one kind of account. */
  kind?: "phone" | "email";
  account: string;
  countryCode: string;
  set: (change: { account?: string; countryCode?: string }) => void;
  error: string | undefined;
  disabled?: boolean;
  /** The `autocomplete` value of the field if it accepts both kinds of account. */
  autoComplete?: string;
}

/**
 * A field for a phone number or an e-mail address. For a number it also shows the country code. Where no text message
 * can be sent, it speaks only of email; a number still signs in with its password.
 */
export function AccountField({
  kind,
  account,
  countryCode,
  set,
  error,
  disabled = false,
  autoComplete = "username",
}: Props) {
  const t = useTexts("account");
  const offersPhone = useOffersPhone();
  const named = kind ?? (offersPhone ? "account" : "email");
  const isNoEmail = named === "email" && accountProblem(account) !== null;
  const phone = kind ? kind === "phone" : isPhoneNumber(account);
  const countries = useCallOnce(countryCalls.fetchCountries, phone) ?? [];
  const options = countries.map((one) => ({ value: one.phoneCode, label: `${one.phoneCode} ${formatCountry(one)}` }));
  const unique = options.filter((one, at) => options.findIndex(({ value }) => value === one.value) === at);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      {phone && (
        <NativeSelect
          className={classes.code}
          label={t("account.countryCode")}
          data={unique.length > 0 ? unique : [countryCode]}
          value={countryCode}
          onChange={(event) => set({ countryCode: event.currentTarget.value })}
          disabled={disabled}
          size="md"
        />
      )}
      <TextInput
        className={classes.grow}
        name="account"
        label={t(`account.${named}`)}
        placeholder={named === "account" ? t("account.accountHint") : undefined}
        autoComplete={kind === "phone" ? "tel-national" : (kind ?? autoComplete)}
        inputMode={kind === "phone" ? "tel" : "email"}
        size="md"
        value={account}
        onChange={(event) => set({ account: event.currentTarget.value })}
        error={error && isNoEmail ? t("common.field.emailShape") : error}
        disabled={disabled}
        data-autofocus={kind ? true : undefined}
      />
    </Group>
  );
}
