/**
 * Names of columns as ERPs spell them, under what they hold. Data only; the order inside a line does not count, the order
 * of the lines does: where one name can be several things, the values of the column decide, else the first line wins.
 *
 * A name stands for every spelling that comes to the same words (column-words.ts): "N° facture" also covers NUMFAC.
 */
export const COLUMN_NAMES: readonly (readonly [concept: string, names: string])[] = [
  [
    'number',
    'E1EDK02 009 BELNR | N° facture | Facture | Invoice | Fac | Document No. | N° document | Document | N° pièce | Num | No. | Numéro | Number | Avoir | N° avoir | Credit note no | Credit memo no | Num rect | N° facture rectificative | Doc ref facture | Ref facture | Invoice reference | Invoice ID | ID | Nº de documento | Comprobante | Nro documento | DO_Piece | GP_NUMERO | VBELN | BELNR | invoice_name | Folio | Correlativo | NumDoc | Num doc fac | N° doc facture | Numéro de document facture | Invoice document number | Invoice name | Serie numero factura | Numéro pièce facture',
  ],
  [
    'docType',
    'Type | Type document | Document Type | Type pièce | Type facture | Invoice type | Invoice type code | Nature | Nature pièce | Tipo documento | Tipo comprobante | Tipo factura | Tipo | DO_Type | GP_NATUREPIECEG | FKART | BSART | move_type | Code type document | Class | TypeDoc | Kind | Doc type code',
  ],
  ['series', 'Série | Serie facture | Series | Souche | Serie documento'],
  [
    'date',
    'E1EDK03 012 DATUM | E1EDK02 009 DATUM | Date facture | Date | DateFac | Invoice Date | Posting Date | Document Date | Issue Date | Date document | Date pièce | Date émission | Fecha factura | Fecha | Fecha emisión | Fecha documento | Date avoir | Date credit note | Date rect | DO_Date | GP_DATEPIECE | FKDAT | BUDAT | BLDAT | date_invoice | invoice_date | Date compta | Date de facturation | Facturation date | Fecha de comprobante | E1EDK03 012 datum | Genere le | Le | Émis | Émis le | Fait le | Établi le | Facturé le | Invoice/Bill Date | Invoice Bill Date | Bill Date',
  ],
  [
    'due',
    "Échéance | Date échéance | Due Date | Payment due date | Date d'exigibilité | Fecha vencimiento | Vencimiento | Fecha de pago limite | Date limite paiement | DO_DateEcheance | ZFBDT | invoice_date_due | Due | Maturity date | Net due date | Date d'échéance facture | Fecha venc factura | Date règlement | Échéance paiement | Payable le | À payer le | À régler le",
  ],
  [
    'termDays',
    'Délai | Délai paiement | Payment terms days | Jours échéance | Dias plazo | Plazo | Terms | Delai jours | Payment terms | Tage | Plazo de pago | Condiciones dias',
  ],
  [
    'currency',
    'Devise | Currency | Currency code | Code devise | Moneda | Divisa | Tipo moneda | Monnaie | Document currency code | WAERS | CURCY | currency_id | Devise facture | Invoice currency | Devise document',
  ],
  [
    'orderRef',
    'E1EDK02 001 BELNR | Réf client | Votre référence | Your reference | Customer reference | Buyer reference | N° commande | Commande | Commande client | Purchase order | PO number | Order no | Customer order no | Ref commande | Pedido | N° pedido | Orden de compra | Bon de commande | Référence commande | Ref | Reference | Référence client | External document no | BSTKD | DO_Ref | client_order_ref | Su pedido | Su referencia | Code service commande | N° commande client | Marché | N° marché',
  ],
  [
    'originalNumber',
    "Facture origine | N° facture origine | NumFacOrigine | Original invoice | Original invoice no | Applies-to Doc. No. | Applies to | Facture rectifiée | N° facture rectifiée | Corrected invoice | Facture initiale | Factura original | Factura origen | N° factura rectificada | Doc origine | Document origine | Pièce origine | Ref facture origine | Facture d'origine | Facture annulée | Original document no | Reversal of | Reversal of Number | Reversed entry | reversed_entry_id",
  ],
  [
    'originalDate',
    'Date facture origine | DateFacOrigine | Original invoice date | Applies-to Doc. Date | Date facture rectifiée | Corrected invoice date | Fecha factura original | Date document origine | Date pièce origine | Date origine | Fecha origen | Date facture initiale | Reversal of Date | Reversal of Invoice/Bill Date | Reversal of Invoice Date',
  ],
  [
    'reason',
    'Motif | Motif avoir | Reason | Reason code | Motivo | Credit reason | Motif rectification | Posting description | Motivo abono | Reason for credit',
  ],
  [
    'company',
    'Société | Code société | Company | Company code | Dossier | Entité | Empresa | Cod empresa | Sociedad | BUKRS | company_id | Code dossier | Soc | Legal entity | N° société | Entity code',
  ],
  [
    'issuer.name',
    'Nom émetteur | Raison sociale émetteur | Supplier name | Seller name | Vendor name | Nom fournisseur | Emisor | Nombre emisor | Issuer name | Vendeur | Razon social emisor | Fournisseur | Seller | AccountingSupplierParty name | AccountingSupplierParty legal name',
  ],
  [
    'issuer.siren',
    'SIREN émetteur | SIREN vendeur | SIREN fournisseur | Supplier registration no | Seller siren | Supplier siren',
  ],
  ['issuer.siret', 'SIRET émetteur | SIRET vendeur | SIRET fournisseur | Seller siret | Supplier siret'],
  [
    'issuer.vat',
    'TVA émetteur | TVA intra émetteur | N° TVA vendeur | Supplier VAT no | Seller VAT | Seller VAT registration no | VAT intra fournisseur | Supplier VAT ID | EIGENUINR',
  ],
  ['issuer.street', 'Adresse émetteur | Supplier address | Seller street | Rue vendeur | Direccion emisor'],
  ['issuer.zip', 'CP émetteur | Supplier postcode | Seller zip | Code postal vendeur'],
  ['issuer.city', 'Ville émetteur | Supplier city | Seller city | Ville vendeur'],
  ['issuer.country', 'Pays émetteur | Supplier country | Seller country code | Pays vendeur'],
  [
    'customer.name',
    'Nom client | Client | Raison sociale | Customer Name | Customer | Bill-to Name | Sold-to name | Buyer name | Nom | Name | Nombre cliente | Cliente | Razón social | Razón social cliente | Nombre receptor | Receptor | Receiver name | Destinataire | Nom destinataire | Acheteur | Tiers | Nom tiers | Intitulé client | Intitulé tiers | Libellé client | CT_Intitule | Registration name | Party name | Party registration name | partner_id/name | Partner | NAME1 | Dénomination client | Client nom | Nom de la société | Nom acheteur | Buyer | Client name party legal | Denominación | Libellé tiers | Raison sociale client | Client raison sociale | Invoice Partner Display Name | Partner Name | Partner Display Name',
  ],
  [
    'customer.code',
    'Code client | N° client | Customer No. | Customer code | Bill-to Customer No. | Code tiers | Compte client | Cod cliente | Codigo cliente | CT_Num | GP_TIERS | KUNNR | KUNAG | Nro cliente | Customer ID | Client ID | Réf tiers | N° tiers | Partner ID',
  ],
  [
    'customer.siren',
    'SIREN | SIREN client | Registration No. | Customer registration no | Buyer siren | N° SIREN | CT_Siren | ILNNR | Company ID 0002 | Legal entity company ID | Endpoint ID 0225 | Company registration number | Siren tiers | Siren acheteur | Siren destinataire | Partner Company ID | Partner SIREN',
  ],
  [
    'customer.siret',
    'SIRET | SIRET client | N° SIRET | CT_Siret | Siret tiers | Siret acheteur | Siret destinataire | Partner SIRET | Partner Company ID',
  ],
  [
    'customer.vat',
    'TVA intracom | TVA intra | N° TVA intracommunautaire | N° TVA | N° TVA client | VAT Registration No. | VAT No. | VAT number | VAT ID | Customer VAT no | Buyer VAT | CIF | NIF | CT_Identifiant | Tax scheme company ID | Party tax scheme company ID | STCEG | TVA client | partner_id/vat | VAT intra client | TVA intra client | ID TVA | Tax ID | Tax registration number | TVA | TVA acheteur | NIF cliente | VAT | Partner Tax ID | Partner VAT | KUNDEUINR',
  ],
  [
    'customer.street',
    'Adresse | Adresse client | Rue | Address | Street | Bill-to Address | Customer address | Dirección | Dirección cliente | Domicilio | Voie | CT_Adresse | STRAS | Adresse 1 | Rue client | Calle | Adresse ligne 1 | Address line 1 | Street name client | Street name | Rue voie | Stras | Adresse facturation | Adresse de facturation | Direccion receptor | Rue adresse client | Adresse acheteur',
  ],
  [
    'customer.street2',
    'Adresse 2 | Street2 | Partner Street2 | Complément adresse | Address 2 | Bill-to Address 2 | Address line 2 | Adresse ligne 2 | CT_Complement | Adresse complément | Rue 2 | Additional street name client | Additional street name | Complément',
  ],
  [
    'customer.zip',
    'CP | Code postal | Zip | Zip code | Post Code | Postcode | Postal code | Bill-to Post Code | CP client | Código postal | CT_CodePostal | PSTLZ | Code postal client | Customer zip | CPost | Postal zone client | Postal zone | PLZ | CP facturation | Code postal acheteur',
  ],
  [
    'customer.city',
    'Ville | Ville client | City | Bill-to City | Town | Ciudad | Localidad | Localité | Commune | CT_Ville | ORT01 | Customer city | City name client | City name | Ville facturation | Ville acheteur | Ciudad cliente',
  ],
  [
    'customer.country',
    'Pays | Code pays | Pays client | Country | Country code | Country/Region Code | País | Cod pais | LAND1 | Customer country | CT_Pays | Country client identification code | Country identification code | Identification code | Land | Pays acheteur | Pays facturation | Pais cliente',
  ],
  [
    'customer.email',
    'Email | E-mail | Mail | Courriel | Correo | Correo electrónico | Email client | Customer email | CT_EMail | Correo cliente | Correo receptor | Mail client',
  ],
  ['customer.phone', 'Téléphone | Tél | Phone | Teléfono | Phone no | Telephone client | Tel client'],
  [
    'deliveryDate',
    'E1EDK03 011 DATUM | Date livraison | Date de livraison | Delivery date | Shipment Date | Ship date | Date expédition | Fecha entrega | Fecha de envío | Actual delivery date | Date BL | Date de prestation',
  ],
  [
    'comment',
    'Commentaire | Comment | Note | Notes | Remarque | Observation | Observaciones | Texte | Comentario | Texte facture | Text | Payment terms note | Terms note | Payment terms note | Note facture',
  ],
  [
    'status',
    'Statut | Status | État | Estado | State | Statut facture | Etat facture | Invoice status | Document status | Estado factura',
  ],
  [
    'totalNet',
    'E1EDS01 010 SUMME | Total HT | Montant HT | Total net | Net total | Total excl. VAT | Amount excl tax | Subtotal | Montant net | Net HT | Total hors taxe | Total HT facture | Montant HT facture | Total neto | Base imponible | Sub total | Subtotal amount | Total untaxed | Untaxed amount | Tax exclusive amount | Total monetary tax exclusive amount | Net amount | Amount | Montant | Importe neto | DO_TotalHT | amount_untaxed | HT | Net | Total base | Line extension amount total monetary | Totaux HT | Net value | Total ventas | Montant total HT',
  ],
  [
    'totalTax',
    'Total TVA | Montant TVA | VAT amount | Tax amount | Total tax | Total VAT | Total IVA | Importe IVA | Monto IVA | TVA | IVA | VAT | Tax | MWSBK | amount_tax | Montant taxe | Totaux TVA | Total taxes | Tax total amount',
  ],
  [
    'totalGross',
    'E1EDS01 011 SUMME | Total TTC | Montant TTC | Net à payer | Total incl. VAT | Gross total | Total amount | Grand total | Total | Total facture | Invoice total | Total général | Amount incl VAT | Amount including VAT | Amount due | Balance due | Payable amount | Tax inclusive amount | Total a pagar | Total con IVA | Importe total | Monto total | Total factura | TTC | Gross | Gross amount | Montant total | Total TTC facture | Montant à payer | DO_TotalTTC | DO_NetAPayer | amount_total | Invoice amount | Total documento | Total document | Montant facture | Importe factura | Total payable amount monetary | Tax inclusive amount monetary total | Totaux TTC | Total net à payer | Net TTC | Total operacion | Monto total operacion',
  ],
  [
    'lineNo',
    'N° ligne | Ligne | Line | Line No. | Line number | NumLig | Línea | Nº línea | Pos | Position | Item no. | Rang | DL_Ligne | GL_NUMLIGNE | POSNR | POSEX | Num item | Lig | Renglon | Line ID | Invoice line ID | No | N° | Poste | Nro linea | Row | Item number',
  ],
  ['lineKind', 'Display Type | Invoice lines Display Type | Type de ligne | Line type'],
  [
    'article',
    'E1EDP19 002 IDTNR | Sku | Article | Code article | Référence | Réf | Réf article | Référence article | Item No. | Item code | Item | SKU | Product code | Product | Product ID | Part number | Produit | Code produit | Artículo | Código artículo | Código | Cod articulo | Código producto | Producto | AR_Ref | GL_CODEARTICLE | MATNR | IDTNR | CodArt | Code | Ref produit | Item reference | Item ID | Art | Sellers item ID | Sellers item identification ID | Material | EAN | Invoice line item ID | Internal Reference | Product Internal Reference | Invoice lines Product | Invoice lines Product Internal Reference',
  ],
  [
    'description',
    'E1EDP19 002 KTEXT | Désignation | Libellé | Description | Designation article | Libellé article | Item description | Product name | Item name | Descripción | Descripción artículo | Concepto | Detalle | Denominación | Prestation | Libellé produit | DL_Design | GL_LIBELLE | ARKTX | KTEXT | Texte ligne | Line description | Produit nom | Nombre producto | Nombre articulo | Name item line | Libellé prestation | Desc | Libellé ligne | Service | Descripcion producto | Label | Invoice lines Label',
  ],
  [
    'quantity',
    'Qté | Quantité | Quantity | Qty | Cantidad | Cant | Qte facturée | Quantité facturée | Invoiced quantity | Qty invoiced | DL_Qte | GL_QTEFACT | FKIMG | MENGE | product_uom_qty | Nb | Nombre | Qte ligne | Quantité ligne | Line quantity | Cantidad facturada | Units | Q | Invoice lines Quantity',
  ],
  [
    'unit',
    'Unité | Unit | Unit of Measure | UOM | Unidad | Unidad medida | UM | Code unité | Unité vente | Unité de mesure | U | DL_Unite | VRKME | MENEE | Unit code | Uni medida | Code unité mesure | Quantity unit code | Quantité unité | Unidad de medida | Qte unité | Invoiced quantity unit code | Invoice lines Unit of Measure | Invoice lines Unit',
  ],
  [
    'price',
    'PU HT | Prix unitaire | Prix unitaire HT | PU | Prix | Prix HT | Unit Price | Price | Unit net price | Net price | Precio | Precio unitario | PrecioUnitario | Precio unidad | DL_PrixUnitaire | GL_PUHTDEV | KBETR | VPREI | price_unit | Prix net | PU net | Tarif | Unit price excl VAT | Price amount | Sales price | Prix unitaire net | Prix vente | Precio neto | P.U. | P.U. HT | Precio sin IVA | Prix de vente unitaire | Invoice lines Unit Price',
  ],
  [
    'priceBase',
    'PEINH | Base prix | Price unit base | Base quantity | Par | Price per | Prix par | Quantité base prix | Price base quantity',
  ],
  [
    'discountPercent',
    'Remise | Remise % | % remise | Taux remise | Discount % | Line discount % | Discount percent | Discount rate | Descuento % | % descuento | Dto | % dto | Rem | DL_Remise01REM_Valeur | discount | Remise ligne | Pourcentage remise | Porcentaje descuento | Rabais | Discount (%) | Invoice lines Discount (%)',
  ],
  [
    'discountAmount',
    'Montant remise | Remise HT | Discount Amount | Line Discount Amount | Discount | Importe descuento | Descuento | Monto descuento | Remise montant | Total remise | Remise | Montant remise HT | Line discount',
  ],
  [
    'lineNet',
    'Montant HT | Montant HT ligne | Total ligne | Total HT ligne | Total ligne HT | Line Amount | Line total | Line net amount | Net amount | Amount | Montant | Montant net | Importe | Importe línea | Total línea | Subtotal | Subtotal línea | DL_MontantHT | GL_TOTALHT | NETWR | price_subtotal | Total HT | HT | Net | Line extension amount | Net line amount | Importe neto | Valeur HT | Net HT | Ligne HT | Amount excl VAT | Base | Extended price | Montant ligne | Prix total | Prix total HT | Total price | Invoice lines Subtotal',
  ],
  [
    'vatRate',
    'Taux TVA | TVA | TVA % | % TVA | VAT % | VAT rate | VAT percent | VAT | Tax rate | Tax % | Tax percent | IVA % | % IVA | IVA | Tasa IVA | Tipo IVA | Taux | Taux taxe | Rate | DL_Taxe1 | MSATZ | Porcentaje IVA | Taux de TVA | Percent | Taxe taux | Classified tax category percent | Pct TVA | Tasa | Taxe',
  ],
  [
    'vatCode',
    'Code TVA | Code taxe | VAT code | Tax code | TVA | VAT | Tax | Código IVA | Cod IVA | Code taux TVA | VAT group | VAT product posting group | Tipo IVA | IVA | MWSKZ | DL_CodeTaxe1 | GL_CODETVA | tax_ids | CodeTVA | Régime TVA | Type TVA | Taxe | VAT type | Clave impuesto | Impuesto | Tax type | Tax category | Taxes | Invoice lines Taxes',
  ],
  [
    'lineTax',
    'Montant TVA ligne | TVA ligne | Montant TVA | Line VAT amount | Line tax amount | VAT amount | Tax amount | Importe IVA | IVA línea | TVA | IVA | VAT | Total TVA',
  ],
  [
    'lineGross',
    'Montant TTC ligne | Total ligne TTC | Montant TTC | Total TTC | Line amount incl VAT | Amount Including VAT | Line gross | Total con IVA | Importe con IVA | TTC | Total | Prix TTC | PU TTC total | Line total incl VAT | DL_MontantTTC | price_total | Amount incl VAT | Gross amount | Invoice lines Total',
  ],
  [
    'paymentDate',
    'Date encaissement | Date paiement | Date règlement | Payment date | Receipt date | Horodatage | Horodate | Date | Date ticket | Fecha pago | Fecha cobro | Posting date | Date transaction | Transaction date | Date heure | Timestamp | Date valeur | Fecha | Date vente | Paid on | Date time | Jour | Date opération | Collection date | Date reception',
  ],
  [
    'paymentAmount',
    'Montant | Montant encaissé | Montant TTC | Montant payé | Montant règlement | Amount | Paid amount | Payment amount | Receipt amount | Importe | Importe cobrado | Total | Total TTC | TTC | Encaissement | Règlement | Montant reçu | Received | Amount paid | Monto | Gross amount | Montant paiement | Prix TTC | Total ticket | Net payé',
  ],
  [
    'paymentCurrency',
    'Devise | Currency | Moneda | Currency code | Devise paiement | Code devise | Payment currency | Devise règlement',
  ],
  [
    'invoiceRef',
    'Facture | N° facture | Invoice | Invoice No | Invoice number | Référence facture | Paid invoice | Factura | N° factura | Document No. | Applied document | Lettrage facture | Ref | Document | N° pièce | Facture payée | Facture réglée | Facture lettrée',
  ],
  [
    'invoiceDate',
    'Date facture | Invoice date | Fecha factura | Document date | Date document | Date facture payée | Date pièce | Date de facture',
  ],
  ['originalDate', 'Date facture | Invoice date | Fecha factura'],
  ['vatCode', 'Taux TVA | VAT rate | VAT % | % IVA | Taux de TVA | Tasa IVA'],
  ['payerCountry', 'Pays | Country | Pays client | Country code | Pays payeur | Customer country | Code pays | País'],
  [
    'ticket',
    'Ticket | N° ticket | Ticket no | Receipt no | Recibo | Transaction | Transaction ID | Tiquet | Num ticket | Receipt',
  ],
  [
    'establishment',
    'Établissement | Establishment | Establecimiento | Magasin | Shop | Store | Sucursal | Cod establecimiento | Código sucursal | Branch | Origen | Bodega | Tienda | Bodega origen | Sucursal origen | Establecimiento origen | From branch | Code magasin | Site',
  ],
  [
    'till',
    'Caisse | Till | Caja | Punto de venta | Cod punto venta | Register | Terminal | POS | N° caisse | Caja no | Punto venta',
  ],
  [
    'noteNumber',
    'Nota | N° nota | Nota de remisión | Número nota | Traslado | N° traslado | Remisión | N° remisión | Guía | Documento | N° documento | Número | Numero documento | Transfer no | Transfer | Delivery note no | Note no | Correlativo | No. remision | Envío | Numero control interno | Nota remision numero | Document No | Delivery note | Remission note | Remission note no | Numero interno',
  ],
  [
    'noteDate',
    'Fecha | Fecha hora | FechaHora | Fecha emisión | Fecha generación | Fecha nota | Fecha traslado | Date | Date time | Fecha documento | Issue date | Fecha envío | Fecha remision | Datetime | Fecha de emision | Document date | Posting date | Note date | Transfer date | Fecha nota remision',
  ],
  ['noteTime', 'Hora | Time | Heure | Hora emisión | Hora generación | Hora envío | Note time | Hora nota'],
  [
    'receiverDocType',
    'Tipo doc | Tipo documento | TipoDoc | Tipo documento receptor | Tipo identificación | Document type | Tipo doc cliente | Tipo documento cliente | ID type | Tipo doc receptor',
  ],
  [
    'receiverDocNumber',
    'Num doc | NumDoc | Número documento receptor | NIT cliente | NIT receptor | NIT | DUI | N° documento cliente | Num documento receptor | NIT/DUI | Número identificación | Customer NIT | Nro documento cliente | DUI cliente | DUI receptor | Num doc cliente | Customer tax id',
  ],
  ['nrc', 'NRC | NRC cliente | NRC receptor | Customer NRC | Registro IVA | N° registro | Nrc | Nº NRC'],
  [
    'receiverName',
    'Receptor | Cliente | Nombre | Nombre cliente | Nombre receptor | Razón social | Destinatario | Customer | Customer name | Consignatario | Receiver | Receiver name | Nombre comercial cliente | Razon social cliente | Ship-to name | Name',
  ],
  [
    'activityCode',
    'CodActividad | Código actividad | Código giro | Cod giro | Activity code | Cod actividad economica | Actividad codigo',
  ],
  [
    'activityName',
    'Actividad | Giro | Actividad económica | Descripción actividad | DescActividad | Activity | Desc actividad',
  ],
  [
    'receiverEmail',
    'Correo | Correo electrónico | Email | Correo cliente | Correo receptor | E-mail | Mail | Customer email',
  ],
  [
    'department',
    'Departamento | Depto | Dpto | Cod departamento | Department | Departamento cliente | Departamento receptor',
  ],
  ['municipality', 'Municipio | Muni | Cod municipio | Municipality | Municipio cliente | Municipio receptor'],
  [
    'receiverStreet',
    'Dirección | Direccion receptor | Dirección entrega | Complemento | Domicilio | Dirección cliente | Address | Street | Ship-to address | Direccion de entrega | Dirección destino',
  ],
  [
    'title',
    'BienTitulo | Título bien | Título | Motivo | Motivo traslado | Tipo remisión | Tipo traslado | Reason | Transfer reason | Titulo de los bienes | Bien titulo | Titulo remision',
  ],
  ['destination', 'Destino | Sucursal destino | Bodega destino | Establecimiento destino | To branch | Destination'],
  ['taxedFlag', 'Gravado | Gravada | Afecto | Afecto IVA | Taxed | Taxable | Gravado IVA'],
  [
    'noteTotal',
    'Total | Monto total | Total nota | Monto total operación | Total documento | Valor total | Importe total | Total amount | Total remision | Total nota remision | Total operacion',
  ],
  [
    'lineAmount',
    'Importe | Total línea | Venta gravada | Monto | Valor | Subtotal | Monto línea | Line amount | Line total | Importe línea',
  ],
  [
    'ignored',
    'Vendeur code | Représentant | Code représentant | Salesperson | Salesperson code | Agent | Dépôt | Warehouse | Location code | Journal | Compte | Account | G/L account | Coût | Unit cost | Cost | Marge | Margin | Poids | Weight | Famille | Family | Mode de règlement | Payment method | Mode paiement | IBAN | BIC | Code journal | MANDT | DOCNUM | TABNAM | IDOCTYP | MESTYP | SEGMENT | BEGIN | E1EDS01 001 SUMME | E1EDS01 002 SUMME | E1EDS01 003 SUMME',
  ],
];
