/** Why a file stays in the inbox: sentences that begin with its name. */
import { sentence } from '../i18n/message.ts';

export const STAYS = {
  symbolicLink: sentence({
    en: '"{name}" is a link to another place',
    fr: '« {name} » est un lien vers un autre endroit',
    es: '«{name}» es un enlace a otro lugar',
  }),
  subfolder: sentence({ en: '"{name}" is a folder', fr: '« {name} » est un dossier', es: '«{name}» es una carpeta' }),
  notPlain: sentence({
    en: '"{name}" is a pipe, socket or device',
    fr: '« {name} » est un tube, une socket ou un périphérique',
    es: '«{name}» es una tubería, un socket o un dispositivo',
  }),
  notPlainNow: sentence({
    en: '"{name}" is a link, pipe, socket or device',
    fr: '« {name} » est un lien, un tube, une socket ou un périphérique',
    es: '«{name}» es un enlace, una tubería, un socket o un dispositivo',
  }),
  hardLink: sentence({
    en: '"{name}" has a second name somewhere else (hard link)',
    fr: '« {name} » a un second nom ailleurs (lien physique)',
    es: '«{name}» tiene un segundo nombre en otro lugar (enlace físico)',
  }),
  tooLarge: sentence({
    en: '"{name}" has {size} bytes, more than the limit of {limit}',
    fr: '« {name} » fait {size} octets, plus que la limite de {limit}',
    es: '«{name}» tiene {size} bytes, más que el límite de {limit}',
  }),
  empty: sentence({
    en: '"{name}" has no content',
    fr: '« {name} » est sans contenu',
    es: '«{name}» no tiene contenido',
  }),
  cannotLook: sentence({
    en: '"{name}" may not be read',
    fr: '« {name} » ne peut être lu',
    es: '«{name}» no se puede leer',
  }),
  cannotRead: sentence({
    en: '"{name}" cannot be taken: another program has it open, or this user may not read or move it',
    fr: '« {name} » ne peut être pris : un autre programme l’a ouvert, ou ce compte ne peut le lire ou le déplacer',
    es: '«{name}» no se puede tomar: otro programa lo tiene abierto, o esta cuenta no puede leerlo o moverlo',
  }),
  cannotTake: sentence({
    en: '"{name}" cannot be taken ({error})',
    fr: '« {name} » ne peut être pris ({error})',
    es: '«{name}» no se puede tomar ({error})',
  }),
  diskFull: sentence({
    en: '"{name}" cannot be copied, the disk is full',
    fr: '« {name} » ne peut être copié, le disque est plein',
    es: '«{name}» no se puede copiar, el disco está lleno',
  }),
  tooManyOpen: sentence({
    en: '"{name}" waits, the system allows no more open files',
    fr: '« {name} » attend, le système n’autorise plus d’ouvrir de fichiers',
    es: '«{name}» espera, el sistema no permite abrir más archivos',
  }),
  readOnly: sentence({
    en: '"{name}" cannot be moved, a folder is read-only',
    fr: '« {name} » ne peut être déplacé, un dossier est en lecture seule',
    es: '«{name}» no se puede mover, una carpeta es de solo lectura',
  }),
  markerAlone: sentence({
    en: '"{name}" says that a file is complete which is not there',
    fr: '« {name} » dit complet un fichier qui n’est pas là',
    es: '«{name}» dice que está completo un archivo que no está',
  }),
};

export const DO = {
  putItself: sentence({
    en: 'Put the file itself into the inbox.',
    fr: 'Mettez le fichier lui-même dans la boîte de réception (inbox).',
    es: 'Ponga el propio archivo en la bandeja de entrada (inbox).',
  }),
  moveUp: sentence({
    en: 'Subfolders are not read: move its files up into the inbox.',
    fr: 'Les sous-dossiers ne sont pas lus : remontez ses fichiers dans la boîte de réception (inbox).',
    es: 'Las subcarpetas no se leen: suba sus archivos a la bandeja de entrada (inbox).',
  }),
  remove: sentence({
    en: 'Remove it from the inbox.',
    fr: 'Retirez-le de la boîte de réception (inbox).',
    es: 'Quítelo de la bandeja de entrada (inbox).',
  }),
  copy: sentence({
    en: 'Copy the file into the inbox instead of linking it.',
    fr: 'Copiez le fichier dans la boîte de réception (inbox) au lieu de le lier.',
    es: 'Copie el archivo en la bandeja de entrada (inbox) en lugar de enlazarlo.',
  }),
  split: sentence({
    en: 'Split the export, or raise the limit in the settings.',
    fr: 'Découpez l’export, ou augmentez la limite dans les réglages.',
    es: 'Divida la exportación, o aumente el límite en la configuración.',
  }),
  askAgain: sentence({
    en: 'Ask the sending system for the export once more.',
    fr: 'Redemandez l’export au système qui l’envoie.',
    es: 'Pida de nuevo la exportación al sistema que la envía.',
  }),
  permissions: sentence({
    en: 'Check the permissions of the file and of the inbox.',
    fr: 'Vérifiez les droits du fichier et de la boîte de réception (inbox).',
    es: 'Compruebe los permisos del archivo y de la bandeja de entrada (inbox).',
  }),
  closeProgram: sentence({
    en: 'Close the program, or correct the permissions of the file and the inbox. It is tried again by itself.',
    fr: 'Fermez le programme, ou corrigez les droits du fichier et de la boîte de réception (inbox). Une nouvelle tentative a lieu d’elle-même.',
    es: 'Cierre el programa, o corrija los permisos del archivo y de la bandeja de entrada (inbox). Se vuelve a intentar automáticamente.',
  }),
  makeRoom: sentence({
    en: 'Make room on the disk. It is tried again by itself.',
    fr: 'Libérez de la place sur le disque. Une nouvelle tentative a lieu d’elle-même.',
    es: 'Libere espacio en el disco. Se vuelve a intentar automáticamente.',
  }),
  raiseLimit: sentence({
    en: 'Raise the limit of open files for this service. It is tried again by itself.',
    fr: 'Augmentez la limite de fichiers ouverts pour ce service. Une nouvelle tentative a lieu d’elle-même.',
    es: 'Aumente el límite de archivos abiertos para este servicio. Se vuelve a intentar automáticamente.',
  }),
  makeWritable: sentence({
    en: 'Make inbox and processing writable; often the disk reported errors before. It is tried again by itself.',
    fr: 'Rendez inbox et processing accessibles en écriture ; souvent le disque a signalé des erreurs avant. Une nouvelle tentative a lieu d’elle-même.',
    es: 'Permita escribir en inbox y processing; a menudo el disco había avisado antes de errores. Se vuelve a intentar automáticamente.',
  }),
  checkDisk: sentence({
    en: 'Check the disk or the share. It is tried again by itself.',
    fr: 'Vérifiez le disque ou le partage. Une nouvelle tentative a lieu d’elle-même.',
    es: 'Compruebe el disco o el recurso compartido. Se vuelve a intentar automáticamente.',
  }),
  deliver: sentence({
    en: 'Remove it, or deliver the file it belongs to.',
    fr: 'Retirez-le, ou livrez le fichier auquel il appartient.',
    es: 'Quítelo, o entregue el archivo al que pertenece.',
  }),
};
