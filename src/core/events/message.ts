interface Event {
  type: string;
  payload: string;
  actorRole: string;
}

/** Members that booking events written by earlier versions do not have. */
const addedLater = (type: string) =>
  type.startsWith('booking.') ? { overbooked: false, previous: null } : {};

/** What happened, as receivers and readers of events see it: ids, times and states. */
export const eventData = ({ type, payload, actorRole }: Event): Record<string, unknown> => ({
  ...addedLater(type),
  ...JSON.parse(payload),
  actor_role: actorRole,
});
