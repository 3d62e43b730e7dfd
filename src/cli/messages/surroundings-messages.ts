/** What the system refuses while a command works. */
import { sentence } from '../../i18n/message.ts';

export const SURROUNDINGS = {
  noAccess: sentence({
    en: 'this account may not read or write {where}; give the account that runs Nightpost the right to do so',
    fr: 'ce compte n’a pas le droit de lire ou d’écrire {where} ; donnez ce droit au compte qui exécute Nightpost',
    es: 'esta cuenta no puede leer o escribir {where}; dé ese permiso a la cuenta que ejecuta Nightpost',
  }),
  readOnly: sentence({
    en: '{where} is read-only; make it writable, often the disk reported errors before',
    fr: '{where} est en lecture seule ; rendez-le accessible en écriture, souvent le disque a signalé des erreurs avant',
    es: '{where} es de solo lectura; permita escribir en él, a menudo el disco había avisado antes de errores',
  }),
  diskFull: sentence({
    en: 'the disk of {where} is full; make room',
    fr: 'le disque de {where} est plein ; libérez de la place',
    es: 'el disco de {where} está lleno; libere espacio',
  }),
  tooManyOpen: sentence({
    en: 'the system allows no more open files ({where}); raise the limit of open files for this service, 1024 are plenty',
    fr: 'le système n’autorise plus d’ouvrir de fichiers ({where}) ; augmentez la limite de fichiers ouverts pour ce service, 1024 suffisent largement',
    es: 'el sistema no permite abrir más archivos ({where}); aumente el límite de archivos abiertos para este servicio, 1024 bastan de sobra',
  }),
  missing: sentence({
    en: '{where} is missing; a folder or file of the instance was removed while the program worked',
    fr: '{where} manque ; un dossier ou un fichier de l’instance a été supprimé pendant que le programme travaillait',
    es: 'falta {where}; se eliminó una carpeta o un archivo de la instancia mientras el programa trabajaba',
  }),
  inTheWay: sentence({
    en: 'something else is in the place of {where}; move it away',
    fr: 'autre chose occupe la place de {where} ; déplacez-le',
    es: 'otra cosa ocupa el lugar de {where}; muévala a otro sitio',
  }),
  deviceError: sentence({
    en: 'the disk or share gave an error at {where}; check it',
    fr: 'le disque ou le partage a signalé une erreur pour {where} ; vérifiez-le',
    es: 'el disco o el recurso compartido dio un error en {where}; compruébelo',
  }),
  ledger: sentence({
    en: 'the ledger (folder state)',
    fr: 'le registre (dossier state)',
    es: 'el registro (carpeta state)',
  }),
  hint: sentence({
    en: 'then run the command again: what was not finished goes on, and nothing is sent twice',
    fr: 'puis relancez la commande : ce qui n’est pas terminé reprend, et rien n’est envoyé deux fois',
    es: 'después ejecute de nuevo la orden: lo que no terminó continúa, y no se envía nada dos veces',
  }),
};
