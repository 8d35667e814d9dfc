// Commands to type on the server: the same in every language.

export const newLink = 'janji setup-link';
export const backupSetting = 'BACKUP_FOLDER=…';
export const backup = 'janji backup "/backup/janji-$(date +%F-%H%M).db"';
export const exportD1 = 'janji export --d1 --remote "/backup/janji-$(date +%F-%H%M).db"';

export const mailSettings = `SMTP_URL=smtps://…

MAIL_API_URL=https://…
MAIL_API_KEY=…

MAIL_FROM=Klinik <klinik@…>
PUBLIC_URL=https://…`;

export const messageSettings = `NOTICE_API_URL=https://…
NOTICE_API_KEY=…`;
