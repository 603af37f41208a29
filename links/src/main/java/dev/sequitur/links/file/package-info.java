/** Small files that one program writes while another one reads them. */
package dev.sequitur.links.file;
