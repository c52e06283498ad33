/** The user's own state in the engine in use. */
export { forgottenConversations, openState, STATE_NOTICE } from "../sqlite/state/state.ts";
