/**
 * Small files that one program writes while another one reads them: {@link
 * dev.sequitur.links.file.ReplacedFile} writes one, and {@link dev.sequitur.links.file.FileStamps}
 * tells whether some have changed.
 */
package dev.sequitur.links.file;
