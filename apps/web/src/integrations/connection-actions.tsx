import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";

interface Action {
  label: string;
  onClick: () => void;
}
interface Props {
  /** Distinguishes the buttons of one row from those of another for screen readers. */
  name: string;
  buttons: (Action & { isBusy?: boolean; isDisabled?: boolean })[];
  menuLabel: string;
  /** The rare acts; the last one removes the row. */
  menu: Action[];
}

/** The actions of a row that stands for a connection to another program: buttons, and a menu with the rare ones. */
export const ConnectionActions = ({ name, buttons, menuLabel, menu }: Props) => (
  <>
    {buttons.map(({ label, onClick, isBusy = false, isDisabled = false }) => (
      <Button
        key={label}
        size="sm"
        variant="default"
        loading={isBusy}
        disabled={isDisabled}
        onClick={onClick}
        aria-label={`${label}: ${name}`}
      >
        {label}
      </Button>
    ))}
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={`${menuLabel}: ${name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {menu.map(({ label, onClick }, place) => (
          <Menu.Item key={label} onClick={onClick} {...(place === menu.length - 1 && { color: "red" })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  </>
);
