// Values that both the tables and the API use.

/** The events, by subject, which is the part before the dot. */
export const eventTypes = [
  'booking.created',
  'booking.approved',
  'booking.canceled',
  'booking.rescheduled',
  'booking.checked_in',
  'booking.called',
  'booking.skipped',
  'booking.completed',
  'booking.no_show',
  'booking.updated',
  'booking.answered',
  'booking.confirmed',
  'booking.undone',
  'booking.offered',
  'booking.accepted',
  'patient.created',
  'patient.updated',
  'patient.merged',
  'patient.deleted',
  'closure.created',
  'closure.removed',
  'queue.notice_set',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The states of a booking: two live ones, and `canceled`. */
export const liveStatuses = ['waiting', 'approved'] as const;
export const bookingStatuses = [...liveStatuses, 'canceled'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/** Where a booking came from: a patient's own page, the desk, a call, Mobile JKN, a FHIR client, or another system's past. */
export const bookingChannels = ['app', 'desk', 'phone', 'mobile_jkn', 'fhir', 'imported'] as const;
export type BookingChannel = (typeof bookingChannels)[number];

/** Who pays for a visit: BPJS Kesehatan (JKN), or anybody else. */
export const payers = ['jkn', 'non_jkn'] as const;

/** The kinds of a visit for BPJS, in the order of its `jeniskunjungan`, which counts from 1. */
export const visitKinds = ['primary_referral', 'internal_referral', 'control', 'hospital_referral'] as const;
export type VisitKind = (typeof visitKinds)[number];

/** How far the visit of a booking came. */
export const visitStatuses = ['checked_in', 'called', 'completed', 'no_show'] as const;
export type VisitStatus = (typeof visitStatuses)[number];

/** Why a slot cannot be booked. */
export const closedReasons = [
  'full',
  'past',
  'too_soon',
  'too_far',
  'leave',
  'holiday',
  'day_limit',
  'days_between',
  'new_patients_only',
  'known_patients_only',
] as const;
export type ClosedReason = (typeof closedReasons)[number];

/** For whom a session is: everybody, those who never came to a visit of the clinic, or those who did. */
export const openTos = ['all', 'new', 'known'] as const;
export type OpenTo = (typeof openTos)[number];

/** What kind of answer a question before the visit takes. */
export const questionTypes = ['text', 'choice', 'yes_no', 'number', 'date'] as const;
export type QuestionType = (typeof questionTypes)[number];

/** Why an entry of the waitlist ended. */
export const waitlistEnds = ['accepted', 'withdrawn', 'over', 'unanswered'] as const;

/** What confirms a login in addition to the password: an authenticator app (RFC 6238), or a passkey (WebAuthn). */
export const factorKinds = ['totp', 'passkey'] as const;

/** Why a booking was canceled, or an offer of the waitlist ended. */
export const cancelReasonCodes = [
  'canceled',
  'rejected',
  'expired',
  'closure',
  'account_deleted',
  'unconfirmed',
  'offer_declined',
  'offer_lapsed',
] as const;
export type CancelReasonCode = (typeof cancelReasonCodes)[number];

/** Who approves a patient's booking of a session: the clinic approves each, or it is approved at once. */
export const approvals = ['manual', 'automatic'] as const;
export type Approval = (typeof approvals)[number];

export const deliveryStates = ['pending', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a receiver is paused. */
export const pausedReasons = ['admin', 'failing', 'gone', 'secret_lost'] as const;
export type PausedReason = (typeof pausedReasons)[number];

/** Why an attempt got no answer: one of our own codes, never the receiver's text. */
export const attemptFailures = ['timeout', 'connection', 'refused_address'] as const;
export type AttemptFailure = (typeof attemptFailures)[number];

/** What the desk decides about a record that may be an account's. */
export const matchDecisions = ['confirmed', 'declined'] as const;

/** The audited events of accounts, and of admins' changes. */
export const securityEventTypes = [
  'registered',
  'login',
  'login_failed',
  'sso_linked',
  'logout',
  'refresh_reused',
  'password_changed',
  'password_change_failed',
  'password_forgotten',
  'password_reset',
  'device_ended',
  'devices_ended',
  'second_factor_begun',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'second_factor_failed',
  'recovery_codes_made',
  'reauthenticated',
  'account_deactivated',
  'account_reactivated',
  'email_change_asked',
  'email_changed',
  'role_changed',
  'password_setup_sent',
  'profile_changed',
  'email_code_sent',
  'email_proved',
  'login_code_sent',
  'phone_released',
  'phone_changed',
  'phone_removed',
  'clinic_changed',
  'doctor_created',
  'doctor_changed',
  'doctor_page_changed',
  'doctor_page_deleted',
  'session_created',
  'session_changed',
  'schedule_created',
  'schedule_changed',
  'notice_set',
  'queue_prefix_set',
  'closure_created',
  'closure_changed',
  'closure_deleted',
  'closure_resolved',
  'patient_created',
  'patient_changed',
  'patient_merged',
  'accounts_joined',
  'patient_import_started',
  'patients_imported',
  'visits_imported',
  'patient_claimed',
  'claim_code_made',
  'claim_code_refused',
  'match_confirmed',
  'match_declined',
  'family_added',
  'family_changed',
  'family_ended',
  'account_exported',
  'account_deleted',
  'patient_exported',
  'patient_deleted',
  'consent_given',
  'consent_withdrawn',
  'webhook_created',
  'webhook_changed',
  'webhook_secret_rotated',
  'webhook_removed',
  'webhook_replayed',
  'webhook_tested',
  'api_key_created',
  'api_key_changed',
  'api_key_revoked',
  'check_in_refused',
  'poster_made',
  'calendar_feed_made',
  'booking_limit_passed',
  'calendar_feed_ended',
  'record_read',
  'list_read',
  'audit_exported',
  'data_exported',
  'bookings_archived',
  'sandbox_clock_set',
  'sandbox_reset',
  'waitlist_joined',
  'waitlist_left',
  'waitlist_ordered',
  'test_mail_sent',
  'exchange_retried',
  'exchange_left',
] as const;
export type SecurityEventType = (typeof securityEventTypes)[number];

/** Too frequent for an index: they are found by the index of time. */
export const everydayTypes = [
  'login',
  'registered',
  'email_code_sent',
  'record_read',
] as const satisfies readonly SecurityEventType[];

/** The possible actors of a line in the audit trail. */
export const actorKinds = ['account', 'api_key'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The kinds of notices about a booking. A new kind takes a line here, in the letters, and where it is planned. */
export const noticeKinds = [
  'approved',
  'rejected',
  'expired',
  'canceled',
  'moved',
  'delayed',
  'reminder_early',
  'reminder_late',
  'waitlist_offer',
] as const;
/** The notices for staff who want them: a patient canceled or moved a visit of today or tomorrow, or answered its questions. */
const deskNoticeKinds = ['patient_canceled', 'patient_moved', 'patient_answered'] as const;

export const allNoticeKinds = [...noticeKinds, ...deskNoticeKinds] as const;
export type NoticeKind = (typeof allNoticeKinds)[number];

export const isDeskNotice = (kind: NoticeKind): kind is (typeof deskNoticeKinds)[number] =>
  deskNoticeKinds.some((own) => own === kind);

/** The channels of a notice: e-mail, or a message to a phone. */
export const noticeChannels = ['email', 'message'] as const;
export type NoticeChannel = (typeof noticeChannels)[number];

/** The states of a notice; the message gateway reports `delivered` and `read`. */
export const noticeStates = ['pending', 'sent', 'delivered', 'read', 'failed', 'dropped'] as const;
export type NoticeState = (typeof noticeStates)[number];

/** Who confirmed the numbers of a patient: a document seen at the desk, or BPJS itself. */
export const numberConfirmers = ['clinic', 'bpjs'] as const;

export const sexes = ['male', 'female'] as const;

/** The relations of a family member to the person who books for them. */
export const relations = ['child', 'spouse', 'parent', 'sibling', 'other'] as const;
export type Relation = (typeof relations)[number];

/** The same, and the account's own record. */
export const relationsWithSelf = ['self', ...relations] as const;
export type RelationWithSelf = (typeof relationsWithSelf)[number];

/** What the rows of an import are. */
export const importKinds = ['patients', 'visits'] as const;
export type ImportKind = (typeof importKinds)[number];

const pastVisitEnds = ['completed', 'no_show', 'canceled'] as const;
export type PastVisitEnd = (typeof pastVisitEnds)[number];

/** What an import does with a row that looks like an existing patient. */
export const onDuplicates = ['skip', 'update', 'make'] as const;
export type OnDuplicate = (typeof onDuplicates)[number];

export const importOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'refused'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** Which part of an ambiguous date comes first: 05/01/1950. */
export const dateOrders = ['day_first', 'month_first'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** The health systems that visits are reported to. */
export const exchangeTargets = ['bpjs', 'satusehat'] as const;
export type ExchangeTarget = (typeof exchangeTargets)[number];

/** What is reported about a visit: the booking, each step of the patient, and the cancellation. */
export const exchangeSteps = ['add', 'arrive', 'call', 'complete', 'absent', 'cancel'] as const;
export type ExchangeStep = (typeof exchangeSteps)[number];

/** Whether a step waits to be sent, needs a person's decision, or was left unsent by a person. */
export const exchangeStates = ['waiting', 'parked', 'left'] as const;
export type ExchangeState = (typeof exchangeStates)[number];

/** Why the other system did not accept a step, or why sending to it is paused. */
export const exchangeReasons = [
  'no_answer',
  'refused',
  'referral',
  'order',
  'time',
  'unknown_visit',
  'no_card',
  'no_national_id',
  'no_doctor_code',
  'no_poli_code',
  'no_hours',
  'no_patient_ihs',
  'no_doctor_ihs',
  'no_location',
  'organization',
  'signature',
  'clock',
  'credentials',
  'busy',
  'internal',
] as const;
export type ExchangeReason = (typeof exchangeReasons)[number];
