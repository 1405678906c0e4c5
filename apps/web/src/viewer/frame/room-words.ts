import { createContext, use } from "react";

/** What the room's head says: whose images these are, and of when. */
export const RoomWords = createContext({ title: "", text: "" });

export const useRoomWords = (): { title: string; text: string } => use(RoomWords);
