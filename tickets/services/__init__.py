"""The only doors through which tickets are taken and money is posted."""
