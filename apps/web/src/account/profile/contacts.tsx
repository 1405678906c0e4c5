import { Button, Group, Stack, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { contactKinds, type ContactKind } from "@arcada/contract/account/contacts.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useOffersPhone } from "../fields/account-field.tsx";
import { Section } from "../../ui/page.tsx";
import classes from "./profile.module.css";

const ContactDialog = lazy(async () => ({ default: (await import("./contact-dialog.tsx")).ContactDialog }));

/**
 * The user's contacts, which also serve for signing in. At least one of the two always remains. A bound number stays as
 * it is where no code can be sent to it.
 */
export function Contacts({ user }: { user: UserInfo }) {
  const t = useTexts("account");
  const [open, setOpen] = useState<{ kind: ContactKind; action: "bind" | "unbind" } | null>(null);
  const isOnly = !user.phone || !user.email;
  const offersPhone = useOffersPhone();
  const shown = contactKinds.filter((kind) => kind === "email" || offersPhone || user.phone);
  return (
    <Section title={t(shown.length > 1 ? "account.contacts" : "account.email")} description={t("account.contactsText")}>
      <Stack gap={0}>
        {shown.map((kind) => (
          <Group key={kind} justify="space-between" className={classes.row}>
            <div className={classes.words}>
              <Text size="sm" fw={600}>
                {t(`account.${kind}`)}
              </Text>
              <Text size="sm" c="dimmed" truncate>
                <bdi>{formatContact(user, kind) ?? t("account.notBound")}</bdi>
              </Text>
            </div>
            {(kind === "email" || offersPhone) && (
              <Group gap="xs">
                {user[kind] && !isOnly && (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t("account.unbindOf", { contact: t(`account.${kind}`) })}
                    onClick={() => setOpen({ kind, action: "unbind" })}
                  >
                    {t("account.unbind")}
                  </Button>
                )}
                <Button
                  variant="default"
                  size="sm"
                  aria-label={t(user[kind] ? "account.changeOf" : "account.bindOf", { contact: t(`account.${kind}`) })}
                  onClick={() => setOpen({ kind, action: "bind" })}
                >
                  {t(user[kind] ? "account.change" : "account.bind")}
                </Button>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      <Suspense>{open && <ContactDialog {...open} user={user} onClose={() => setOpen(null)} />}</Suspense>
    </Section>
  );
}

export const formatContact = (user: UserInfo, kind: ContactKind): string | null =>
  kind === "email" ? user.email : user.phone && `${user.countryCode ?? ""} ${user.phone}`.trim();
