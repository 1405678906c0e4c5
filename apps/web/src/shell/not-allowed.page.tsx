import { NotAllowedState } from "../ui/states.tsx";

export const Page = () => <NotAllowedState />;
